"""Services that every interface uses: settings, tables, credentials, records."""
