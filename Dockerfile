# The bot in a container: docs/hosting.md, "A container". Both stages have the same Python in the same place.
FROM python:3.11-slim-bookworm AS build
WORKDIR /app
COPY requirements-light.txt ./
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --no-deps --require-hashes -r requirements-light.txt
COPY bot bot
COPY rag rag
COPY sample_game sample_game
RUN .venv/bin/python -m compileall -q bot rag

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 rules \
    && install --directory --owner=rules /books /data
COPY --from=build /app /app
WORKDIR /app
USER 10001
# Nothing is written but under /data: the root file system may be read-only.
ENV PATH=/app/.venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/data TMPDIR=/data \
    LIBRARY_DIR=/books INDEX_DIR=/data/index DATA_DIR=/data/users
VOLUME ["/books", "/data"]
# The bot touches this file every half minute while it is connected.
HEALTHCHECK --interval=1m --timeout=10s --start-period=10m \
    CMD ["sh", "-c", "test -n \"$(find /data/users/alive -mmin -2)\""]
CMD ["python", "-m", "bot"]
