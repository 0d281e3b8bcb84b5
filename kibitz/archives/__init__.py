"""Archives of game records: folders, zip and tar archives of records, their turns as a table, and a report.

`record_source.RecordSource` reads the records, `turns_file.TurnsFile` writes a row for each annotated turn to
a Parquet file, with the columns of `turn_rows.COLUMNS`, and `player_reports.archive_report` reads that file.
`kibitz batch` and `kibitz report` are built on them. Open `record_source.py` first.
"""
