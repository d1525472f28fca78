"""What all tests share: one seed, and a book of the rules that tests show to hold.

A test cites rules of docs/rules.md by number, `@pytest.mark.rule("P3", "E-link")`, and the citation
counts once the test has passed. A run of all tests ends with the rules that no passed test cites,
and fails if there are any.
"""

import gc
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, settings

from tests import samples

CITED = "cited rule"
LAN = Path(__file__).parent / "lan"
RULEBOOK = Path(__file__).parent.parent / "docs" / "rules.md"

settings.register_profile("sabtui", deadline=None, print_blob=True, max_examples=30)
settings.register_profile("thorough", settings.get_profile("sabtui"), max_examples=100)
settings.register_profile(  # for `tools.mutate`, to which any failure will do
    "no_shrinking",
    settings.get_profile("sabtui"),
    max_examples=50,
    phases=set(Phase) - {Phase.shrink, Phase.explain},
)
settings.load_profile("sabtui")


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep games, seats, logs and settings of the tests apart from the user's own."""
    for kind in ("DATA", "STATE", "CONFIG"):
        os.environ[f"XDG_{kind}_HOME"] = str(tmp_path_factory.mktemp(kind.lower()))


def rule_numbers(rulebook: str) -> list[str]:
    """List the rules of docs/rules.md in its order: S1 to F1, the rows of E, and K as a whole."""
    numbers: list[str] = []
    for section in re.split(r"^## (?=[A-Z]\.)", rulebook, flags=re.MULTILINE)[1:]:
        letter = section[0]
        bullets_and_rows = rf"^(?:- \*\*({letter}\d+)\b|\| ({letter}-[a-z-]+)\b)"
        found = re.finditer(bullets_and_rows, section, flags=re.MULTILINE)
        numbers += [bullet[1] or bullet[2] for bullet in found] or [letter]
    return numbers


def cited_rules(item: pytest.Item) -> set[str]:
    """Gather the numbers in a test's `rule` markers."""
    return {number for marker in item.iter_markers("rule") for number in marker.args}


class Citations:
    """Which rules no passed test of this run has cited yet.

    Where tests run in several processes, each report brings its test's citations to the first one.
    """

    def __init__(self, *, all_must_be_cited: bool) -> None:
        self.all_must_be_cited = all_must_be_cited
        self.uncited = dict.fromkeys(rule_numbers(RULEBOOK.read_text(encoding="utf-8")))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Refuse numbers that the rulebook does not have."""
        for item in items:
            if unknown := cited_rules(item).difference(self.uncited):
                raise pytest.UsageError(f"{item.nodeid} cites {sorted(unknown)}, no such rule")
            item.user_properties += [(CITED, number) for number in sorted(cited_rules(item))]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test's citations once it has passed."""
        if report.when == "call" and report.passed:
            for name, number in report.user_properties:
                if name == CITED:
                    self.uncited.pop(str(number), None)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail an otherwise good run that leaves a rule uncited."""
        if self.all_must_be_cited and self.uncited and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the rules left uncited."""
        if self.all_must_be_cited and self.uncited:
            terminalreporter.section("rules that no passed test cites", red=True)
            terminalreporter.line(" ".join(self.uncited))


class NothingSkipped:
    """Makes a test fail that is skipped."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn a skip into a failure with the same reason."""
        report = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = f"skipped: {report.longrepr}"
        return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell each reason for which tests were skipped, in one line."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, tests in sorted(reasons.items()):
        terminalreporter.line(f"passed over {tests}: {reason}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `make` verbs and CI."""
    parser.addoption(
        "--level", choices=samples.LEVELS, default="broad", help="run tests up to this level"
    )
    parser.addoption("--nothing-skipped", action="store_true", help="fail where a test is skipped")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count citations; be thorough, and take skips for failures, where asked to."""
    samples.CHOSEN["level"] = config.getoption("--level")
    if samples.is_run("thorough"):
        settings.load_profile("thorough")
    is_worker = hasattr(config, "workerinput")  # one of several processes of pytest-xdist
    config.pluginmanager.register(
        Citations(all_must_be_cited=is_whole(config) and samples.is_run("broad") and not is_worker)
    )
    if config.getoption("--nothing-skipped"):
        config.pluginmanager.register(NothingSkipped())


def is_whole(config: pytest.Config) -> bool:
    """Tell whether a run names neither places nor tests."""
    options = config.option
    named = options.keyword or options.markexpr or getattr(options, "lf", False)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not named


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the LAN, whose tests are timed, but from a run that names it."""
    is_named = any("lan" in Path(arg).parts for arg in config.args)
    return True if collection_path == LAN and not is_named else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests beyond the level of this run, but for one that is asked for by its name."""
    if any("::" in arg for arg in config.args):
        return
    beyond = {item for item in items if not all(map(samples.is_run, levels_of(item)))}
    items[:] = [item for item in items if item not in beyond]
    config.hook.pytest_deselected(items=[*beyond])


def levels_of(item: pytest.Item) -> list[str]:
    """List the levels in a test's markers, its own and those of its module."""
    return [level for marker in item.iter_markers("level") for level in marker.args]


def pytest_collection() -> None:
    """Look for no circles while tests are collected: it takes an eighth more, and they all stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for circles more seldom, and not among the tests and modules themselves.

    Textual makes many objects: its tests would spend a third of their time on that.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000)
    gc.enable()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which seed this run draws from, and what it leaves out."""
    return [
        f"seed: {seed_of(config)} (another: --hypothesis-seed=NUMBER)",
        f"level: {config.getoption('--level')} (of {', '.join(samples.LEVELS)})",
    ]


def seed_of(config: pytest.Config) -> str:
    """Tell the seed of the run, one for Hypothesis and for `rng`."""
    return str(config.getoption("--hypothesis-seed"))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Give each test its own stream of the run's seed, whichever tests run beside it."""
    return Random(f"{seed_of(request.config)} {request.node.nodeid}")


@pytest.fixture(scope="session", autouse=True)
def no_table_outlives_its_test(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """End what tests leave behind: a table is a process of its own, which outlives its face.

    Those are told by the run's folder for temporary files in their environment, where there is
    /proc to look it up.
    """
    yield
    ours = os.fsencode(tmp_path_factory.getbasetemp())
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(process.name) != os.getpid() and ours in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGTERM)
    # Python warns of children that are still running when it ends.
    for starter in "sabtui.app.launcher", "sabtui.doors.table_side":
        for child in getattr(sys.modules.get(starter), "_started", ()):
            child.kill()  # a process that hides its memory hides its environment, but from root
            child.wait(10)
