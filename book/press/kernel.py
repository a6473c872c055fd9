"""How the cells of a notebook are executed: in a kernel of the running Python, prepared by code of `press.inside`."""

import ast
import asyncio
import json
from pathlib import Path

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

TIMEOUT = 600
INSIDE = Path(__file__).resolve().parent / "inside"
#: The namespace, in the kernel, of the code that prepares it.
MODULE = "__import__('sys').modules.setdefault('_press', __import__('types').ModuleType('_press')).__dict__"


class CurrentPython(KernelSpecManager):
    """Finds one kernel only: the Python that runs this script."""

    def get_kernel_spec(self, kernel_name):
        """Returns the kernel of the running interpreter, whatever `kernel_name` is."""
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict(["--log-level=ERROR"]))


def _client(notebook, folder, **options):
    """Returns a client that executes `notebook` in `folder`."""
    return NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=CurrentPython()),
        timeout=TIMEOUT,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
        **options,
    )


def run(notebook, folder, prepare, question="None", **options):
    """Executes the cells of `notebook` in `folder`; returns the kernel's answer to `question`, evaluated at the end.

    Args:
        notebook: its cells get the outputs.
        folder: where the kernel runs.
        prepare: (name of a module in `press.inside`, statement run in it before the first cell). The module is run
            from its file under the name `_press` and leaves no name among those of the cells.
        question: an expression in that module, with a value that JSON can hold.
        options: of nbclient's `NotebookClient`, whose exceptions pass through.
    """
    return asyncio.run(_run(_client(notebook, folder, **options), *prepare, question))


async def _run(client, module, statement, question):
    code = f"{(INSIDE / f'{module}.py').read_text(encoding='utf-8')}\n{statement}\n"
    client.reset_execution_trackers()
    async with client.async_setup_kernel():
        await _ask(client, f"exec({code!r}, {MODULE})")
        for index, cell in enumerate(client.nb.cells):
            await client.async_execute_cell(cell, index, execution_count=client.code_cells_executed + 1)
        return await _ask(client, f"eval({question!r}, {MODULE})")


async def _ask(client, expression):
    """Returns the value of an expression in the kernel, asked so that neither history nor outputs show it."""
    asked = {"answer": f"__import__('json').dumps({expression})"}
    message = client.kc.execute("", silent=True, store_history=False, user_expressions=asked)
    reply = await client.async_wait_for_reply(message)
    answer = reply["content"]["user_expressions"]["answer"]
    if answer["status"] != "ok":
        raise RuntimeError(f"{answer['ename']}: {answer['evalue']}")
    return json.loads(ast.literal_eval(answer["data"]["text/plain"]))
