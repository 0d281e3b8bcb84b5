"""nginx with the configuration of deploy/, without root: on a free port, with all files in one folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.service.serving import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def nginx_binary() -> str:
    """Find nginx, or skip the test."""
    binary = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if binary is None:
        pytest.skip("needs nginx; `make test` installs it")
    return binary


def write_configuration(folder: Path, port: int, *backends: int) -> Path:
    """Write a configuration: that of deploy/ on a free port, in front of services on the ports `backends`."""
    servers = "\n".join(f"    server 127.0.0.1:{backend} max_fails=0;" for backend in backends)
    site = SITE.read_text().replace("    server kibitz:8080 max_fails=0;", servers)
    assert "kibitz:8080 " not in site
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port} backlog=1024;")
    user = "user root;\n" if os.geteuid() == 0 else ""  # or its workers could not reach the folder
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    path = folder / "nginx.conf"
    path.write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        "events { worker_connections 1024; }\n"
        f"http {{\naccess_log off;\n{paths}{site}\n}}\n"
    )
    return path


@contextmanager
def nginx_before(folder: Path, *backends: int) -> Iterator[int]:
    """Run nginx before services on the ports `backends`; gives nginx's own port."""
    binary = nginx_binary()
    port = free_port()
    command = [binary, "-p", str(folder), "-c", str(write_configuration(folder, port, *backends))]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                assert process.poll() is None, process.communicate()[1].decode()
                assert time.monotonic() < deadline
                time.sleep(0.02)
            else:
                break
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=60)
