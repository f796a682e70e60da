"""What a whole daemon answers is what the OpenAPI document says of it."""

from __future__ import annotations

import asyncio
import json

import httpx
import jsonschema_rs
import pytest
from support.clockwork import run
from support.evenings import play
from support.parlour import config_of, parlour, ready

from tablectl.api.app import interface
from tablectl.api.openapi import document, schemas
from tablectl.api.security import Hosts
from tablectl.app.service import Wish
from tablectl.link.simulated import Sims

TOKEN = "t" * 43
GETS = ("tables", "tables/east", "tables/east/facts", "presets", "presets/ramen-jiro")


def answer_of(path: str) -> jsonschema_rs.Validator:
    """What checks the answer to a GET."""
    whole = document()
    known = path.replace("tables/east", "tables/{id}").replace(
        "presets/ramen-jiro", "presets/{name}"
    )
    schema = whole["paths"][f"/api/v1/{known}"]["get"]["responses"]["200"]["content"]
    schema = schema["application/json"]["schema"]
    return jsonschema_rs.validator_for({**schema, "components": whole["components"]})


@pytest.mark.parametrize("model", ["reader", "gears", "autodeal"])
def test_answers_and_messages_are_as_the_document_says(tmp_path, model):
    preset = "riichi-4p" if model == "autodeal" else "ramen-jiro"

    async def work():
        sims = Sims(seed=4)
        async with parlour(tmp_path, config_of(f"sim:{model}:east", preset=preset), sims) as daemon:
            [table] = await ready(daemon)
            stream = table.subscribe(None)
            told = []

            async def follow():
                async for message in stream:
                    told.append(message)

            following = asyncio.create_task(follow())
            await table.command(Wish("note", preset=preset, number=1))
            await table.command(Wish("select", preset=preset))
            here = interface(daemon, Hosts.of("127.0.0.1", 8136), TOKEN)
            transport = httpx.ASGITransport(here.asgi)
            served = sims.served[f"{model}:east"]
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8136"
            ) as client:
                await look(client)
                await play(table, served, table.known.rules, 4)
                await look(client)
            here.stop(0)
        await following
        checks = jsonschema_rs.validator_for(schemas()["stream.json"])
        for message in told:
            checks.validate(json.loads(json.dumps(message)))

    async def look(client):
        for path in GETS:
            answer = await client.get(f"/api/v1/{path}")
            assert answer.status_code == 200, answer.text
            answer_of(path).validate(answer.json())

    run(work())
