#!/usr/bin/python3
"""Follow events over a WebSocket from Python: print each as a line of JSON.

Reconnects when the daemon restarts and resumes after the last event it has seen, so none is
missed or repeated. Requires the package `websockets` (Debian: python3-websockets).

    examples/follow_events.py [TYPES]          e.g. 'auto.*,attention.raised'
"""

import asyncio
import json
import os
import sys
import urllib.request
from pathlib import Path

import websockets

HOME = Path(os.environ.get("LOOPWATCH_HOME") or Path.home() / ".loopwatch")
TYPES = (sys.argv[1] if len(sys.argv) > 1 else "*").split(",")


def find_daemon():
    """Return the daemon's URL and a ticket for one WebSocket. The port may change on restart."""
    url = json.loads((HOME / "daemon.json").read_text())["url"]
    token = (HOME / "token").read_text().strip()
    request = urllib.request.Request(
        f"{url}/api/tickets", method="POST", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return url, json.load(response)["ticket"]


async def follow(cursor):
    """Follow from the cursor (empty: from now) and update it until the connection ends."""
    url, ticket = await asyncio.to_thread(find_daemon)
    protocols = ["loopwatch.v1", f"ticket.{ticket}"]
    async with websockets.connect(f"ws{url[4:]}/ws", subprotocols=protocols) as socket:
        async for text in socket:
            frame = json.loads(text)
            kind = frame["type"]
            if kind == "welcome":
                epoch = frame["epoch"]
                if not cursor:
                    cursor.update(epoch=epoch, after=frame["head"])
                subscribe = {"type": "subscribe", "id": 1, "types": TYPES, **cursor}
                await socket.send(json.dumps(subscribe))
                print(f"following from {cursor['epoch']}:{cursor['after']}", file=sys.stderr)
            elif kind == "event":
                print(json.dumps(frame["event"]), flush=True)
                cursor["after"] = frame["event"]["seq"]
            elif kind == "cursor":
                cursor["after"] = frame["seq"]
            elif kind == "reset":
                print(f"some events are no longer kept ({frame['reason']})", file=sys.stderr)
                cursor.update(epoch=epoch, after=frame["head"])
            elif kind == "error":
                sys.exit(f"refused: {text}")


async def main():
    cursor = {}
    while True:
        try:
            await follow(cursor)
        except (OSError, websockets.WebSocketException) as error:
            print(f"not connected: {error}", file=sys.stderr)
        await asyncio.sleep(1)


try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
