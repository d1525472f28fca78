#!/usr/bin/env bash
# A LAN of laptops that lives as long as one command: each a network namespace on one bridge, all
# of it inside namespaces of its own, so that no root is needed and nothing has to be cleaned up.
#
#   lan.sh run [-n LAPTOPS] [-4] [-6] COMMAND...   build it and run COMMAND in it
# and inside, where LAN is the path of this script:
#   $LAN on hK COMMAND...        on laptop K, which is 10.77.0.K (-4, the default) and fd77::K (-6)
#   $LAN cable hK out|in         pull its cable, or put it back
#   $LAN freeze hK on|off        the bridge drops what comes from it and goes to it, in silence
#   $LAN split [hK...]           the bridge passes nothing between these and all others; or all again
#   $LAN mode open|nomcast       the bridge passes all, or eats IPv4 multicast and mDNS over IPv6
#   $LAN address hK ADDRESS/BITS gives it this IPv4 address in place of the one it has
#   $LAN wire hK hL ADDRESS/BITS ADDRESS/BITS   a second cable between two, with these addresses
#   $LAN clutter hK              gives it a running container's bridge, idle ones, and a VPN that
#                                takes the default route, all with addresses
#   $LAN end                     kill all that runs in it, such as tables that outlive their players
# `bridge` stands for the bridge's own namespace, in which `on` runs a command too.
# No laptop has a default route. Needs util-linux and iproute2; freeze, split and mode also nftables.
set -euo pipefail
command -v ip >/dev/null || export PATH=$PATH:/usr/sbin:/sbin
LAN=$(readlink -f "$0")
export LAN

usage() {
  sed -n 's/^#   //p' "$LAN" >&2
  exit 2
}

bridge_rules() { ip netns exec bridge nft "$@"; }

clear_rules() { # frozen or eaten: the chain is there, and empty
  bridge_rules -f - <<RULES
add table bridge lan
add chain bridge lan $1 { type filter hook forward priority 0; }
flush chain bridge lan $1
RULES
}

build() { # laptops, IPv4?, IPv6?
  mount -t tmpfs tmpfs /run
  mkdir /run/netns
  ip netns add bridge
  ip -n bridge link add bridge type bridge stp_state 0 forward_delay 0 mcast_snooping 0
  ip -n bridge link set bridge up
  for k in $(seq "$1"); do
    ip netns add "h$k"
    # Addresses are usable at once, with no second of looking for twins; without -6 there are none.
    [ ! -d /proc/sys/net/ipv6/conf ] ||
      ip netns exec "h$k" sh -c "cd /proc/sys/net/ipv6/conf && echo 0 >default/accept_dad &&
        echo $((!$3)) | tee all/disable_ipv6 >default/disable_ipv6"
    ip link add eth0 netns "h$k" type veth peer name "h$k" netns bridge
    ip -n bridge link set "h$k" master bridge up
    ip -n "h$k" link set lo up
    [ "$2" = 0 ] || ip -n "h$k" addr add "10.77.0.$k/24" brd + dev eth0
    ip -n "h$k" link set eth0 up
    [ "$3" = 0 ] || ip -n "h$k" addr add "fd77::$k/64" dev eth0 nodad
  done
}

case "${1:-}" in
  run)
    shift
    n=4 v4='' v6=''
    while getopts n:46 option; do
      case $option in n) n=$OPTARG ;; 4) v4=1 ;; 6) v6=1 ;; *) usage ;; esac
    done
    shift $((OPTIND - 1))
    [ $# -gt 0 ] || usage
    [ -n "$v6" ] || v4=1
    exec unshare --user --map-root-user --net --mount "$LAN" inside "$n" "${v4:-0}" "${v6:-0}" "$@"
    ;;
  inside)
    build "$2" "$3" "$4"
    shift 4
    exec "$@"
    ;;
  on) exec ip netns exec "${@:2}" ;;
  cable)
    case "$3" in out) state=down ;; in) state=up ;; *) usage ;; esac
    ip -n bridge link set "$2" "$state"
    ;;
  freeze)
    clear_rules frozen
    case "$3" in
      on)
        bridge_rules add rule bridge lan frozen iifname "$2" drop
        bridge_rules add rule bridge lan frozen oifname "$2" drop
        ;;
      off) ;;
      *) usage ;;
    esac
    ;;
  split)
    clear_rules split
    shift
    these=$(IFS=, && echo "$*")
    for one in "$@"; do
      bridge_rules add rule bridge lan split iifname "$one" oifname != "{ $these }" drop
      bridge_rules add rule bridge lan split oifname "$one" iifname != "{ $these }" drop
    done
    ;;
  mode)
    clear_rules eaten
    case "$2" in
      nomcast)
        bridge_rules add rule bridge lan eaten ether type ip pkttype multicast drop
        bridge_rules add rule bridge lan eaten ether type ip6 udp dport 5353 drop
        ;;
      open) ;;
      *) usage ;;
    esac
    ;;
  address)
    ip -n "$2" -4 addr flush dev eth0
    ip -n "$2" addr add "$3" brd + dev eth0
    ;;
  wire)
    ip -n "$2" link add eth1 type veth peer name eth1 netns "$3"
    for end in "$2 $4" "$3 $5"; do
      ip -n "${end% *}" addr add "${end#* }" brd + dev eth1
      ip -n "${end% *}" link set eth1 up
    done
    ;;
  clutter)
    add=(ip -n "$2" link add)
    "${add[@]}" docker0 type bridge
    "${add[@]}" virbr0 type bridge
    "${add[@]}" br-0a1b2c3d4e5f type bridge
    "${add[@]}" veth0a1b2c master br-0a1b2c3d4e5f type veth peer name eth0 netns bridge
    ip -n bridge link set eth0 up
    ip -n "$2" link set veth0a1b2c up
    ip -n "$2" tuntap add tun0 mode tun
    for card in docker0:172.17.0.1/16 virbr0:10.1.0.1/24 br-0a1b2c3d4e5f:10.2.0.1/16 \
      tun0:10.8.0.2/24; do
      ip -n "$2" addr add "${card#*:}" dev "${card%%:*}"
      ip -n "$2" link set "${card%%:*}" up
    done
    ip -n "$2" route add default dev tun0
    ;;
  end)
    ours=$(readlink /proc/self/ns/user)
    for process in /proc/[0-9]*; do
      pid=${process#/proc/}
      if [ "$pid" != $$ ] && [ "$(readlink "$process/ns/user")" = "$ours" ]; then
        kill -KILL "$pid" 2>/dev/null || true # it may have ended meanwhile
      fi
    done
    ;;
  *) usage ;;
esac
