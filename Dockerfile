# The service in one small image: the first stage builds the kernels and the tables of lexicons, the second
# holds only what runs. Others reach it through a proxy: see deploy/RUNBOOK.md.
#
#   docker build -t kibitz .                                        English
#   docker build -t kibitz --build-arg LEXICONS="club french" .  English and French
#   docker run --rm -p 127.0.0.1:8080:8080 kibitz

FROM python:3.11-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /src
ENV UV_PROJECT_ENVIRONMENT=/opt/kibitz \
    UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy \
    UV_COMPILE_BYTECODE=1
# The dependencies alone first: they change less often than the sources.
COPY pyproject.toml uv.lock ./
RUN uv sync --frozen --no-dev --extra service --extra telemetry --no-install-project
COPY . .
RUN uv sync --frozen --no-dev --extra service --extra telemetry --no-editable
# The bundled lexicons of the image, whose tables are built here because its root is read-only. The lists of the
# others are left out.
ARG LEXICONS=club
RUN for id in $LEXICONS; do \
        KIBITZ_DATA=/var/lib/kibitz /opt/kibitz/bin/kibitz lexicon build "$id" || exit 1; \
    done \
    && for manifest in /opt/kibitz/lib/python3.*/site-packages/lexicons/*/manifest.json; do \
        folder=${manifest%/manifest.json}; \
        case " $LEXICONS " in *" ${folder##*/} "*) ;; *) rm -r "$folder" ;; esac; \
    done

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /var/lib/kibitz --shell /usr/sbin/nologin kibitz
COPY --from=build /opt/kibitz /opt/kibitz
COPY --from=build --chown=kibitz:kibitz /var/lib/kibitz /var/lib/kibitz
ENV PATH=/opt/kibitz/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    KIBITZ_DATA=/var/lib/kibitz \
    KIBITZ_HOST=0.0.0.0 \
    KIBITZ_PORT=8080
USER 10001
WORKDIR /var/lib/kibitz
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/livez', timeout=2)"]
ENTRYPOINT ["kibitz"]
CMD ["serve"]
