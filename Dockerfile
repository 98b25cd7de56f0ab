# Builds a wheel and its dependencies in one stage; the second holds only what runs, as an ordinary user.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY knowledge knowledge
COPY migrations migrations
COPY examples examples
RUN python -m venv /opt/answerdesk \
 && /opt/answerdesk/bin/pip install --no-cache-dir ".[local,evaluate]"

FROM python:3.12-slim
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 answerdesk \
 && install -d -o answerdesk -g answerdesk /data /config
COPY --from=build /opt/answerdesk /opt/answerdesk
ENV PATH=/opt/answerdesk/bin:$PATH \
    ANSWERDESK_HOME=/data \
    ANSWERDESK_LOG__JSON_LINES=true \
    ANSWERDESK_LOG__LEVEL=info \
    PYTHONUNBUFFERED=1
USER answerdesk
WORKDIR /config
VOLUME /data
HEALTHCHECK --interval=60s --timeout=15s --start-period=60s CMD ["answerdesk", "status", "--json"]
ENTRYPOINT ["answerdesk"]
CMD ["run"]
