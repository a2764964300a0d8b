#!/usr/bin/env python3
"""Many clients at once at a workbench: probing positions and playing saved games.

    tools/load.py http://127.0.0.1:7341 [--clients 200] [--seconds 30] [--pause 1.0]

Each client is a connection a request, as browsers' are, and pauses between requests as a quick player does. Prints the
times of the answers, and fails if one was an error. Only a server on this machine is asked.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from urllib.parse import urlsplit

FENS = ["8/8/8/8/2r5/8/2k5/K6Q w - - 0 1", "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1"]


class Client:
    def __init__(self, host, port, seed):
        self.host, self.port, self.random = host, port, random.Random(seed)
        self.times, self.errors = {}, []

    async def ask(self, kind, method, path, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1/{path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        begun = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(head.encode() + b"\r\n" + data)
            reply = await reader.read()
            writer.close()
        except OSError as error:
            self.errors.append(str(error))
            return None
        self.times.setdefault(kind, []).append(time.perf_counter() - begun)
        status, _, rest = reply.partition(b"\r\n")
        answer = json.loads(rest.partition(b"\r\n\r\n")[2] or b"null")
        if not status.split()[1].startswith(b"2"):
            self.errors.append(f"{kind}: {status.decode()} {answer}")
            return None
        return answer

    async def run(self, end, pause):
        await asyncio.sleep(self.random.random() * pause)
        game = None
        while time.monotonic() < end:
            if self.random.random() < 0.3:
                await self.ask("probe", "POST", "probe", {"fen": self.random.choice(FENS)})
            elif game is None or not game["game"]["legal"]:
                seed = self.random.randrange(1 << 40)
                game = await self.ask("begin", "POST", "games", {"play": {"seed": seed}})
            else:
                move = self.random.choice(game["game"]["legal"][:4])["uci"]
                path, request = f"games/{game['id']}/moves", {"version": game["version"], "move": move}
                game = await self.ask("move", "POST", path, request)
            await asyncio.sleep(pause * (0.5 + self.random.random()))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between a client's requests, on average")
    options = parser.parse_args()
    address = urlsplit(options.address)
    if address.hostname not in ("127.0.0.1", "localhost", "::1"):
        parser.error("only a server on this machine is asked")
    clients = [Client(address.hostname, address.port, seed) for seed in range(options.clients)]
    warm = Client(address.hostname, address.port, 0)
    for fen in FENS:
        await warm.ask("warm", "POST", "probe", {"fen": fen})
    await warm.ask("warm", "POST", "games", {"play": {"seed": 1}})
    end = time.monotonic() + options.seconds
    await asyncio.gather(*(client.run(end, options.pause) for client in clients))
    errors = [error for client in clients for error in client.errors]
    for kind in ("probe", "begin", "move"):
        times = sorted(one for client in clients for one in client.times.get(kind, []))
        if times:
            at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]
            print(f"{kind:6} {len(times):6} answers  p50 {at(.5):6.1f} ms  p95 {at(.95):6.1f} ms  p99 {at(.99):6.1f} ms")
    print(f"{len(errors)} errors", *errors[:3], sep="\n")
    sys.exit(1 if errors else 0)


asyncio.run(main())
