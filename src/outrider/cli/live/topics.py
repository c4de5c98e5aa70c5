"""outrider topics: list the topics of a running simulation."""

from outrider.cli.live.choice import Pid, newest
from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_json, print_table


def topics(as_json: Json = False, pid: Pid = None) -> None:
    """List the topics of a running simulation."""
    with newest(pid) as client:
        rows = client.topics()
    if as_json:
        print_json(rows)
        return
    print_table(
        [
            {
                "topic": row["name"],
                "type": row["type"],
                "rate": f"{row['rate_hz']:g} Hz" if row["rate_hz"] else "-",
                "direction": row["direction"],
                "messages": row["count"],
                "readers": row["subscribers"],
            }
            for row in rows
        ]
    )
