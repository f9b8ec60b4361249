# Both images must have the same Debian release: the binary uses its SQLite, zlib and C++ library.
ARG BUILD_IMAGE=swift:6.3-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsqlite3-dev zlib1g-dev libcrypt-dev libexpat1-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN swift build -c release --static-swift-stdlib -Xswiftc -use-ld=lld --product martlet \
    --explicit-target-dependency-import-check error \
  && cp "$(swift build -c release --static-swift-stdlib -Xswiftc -use-ld=lld --show-bin-path)/martlet" /built
# The commit that `martlet version` names: 40 digits, or none. scripts/image passes it. It comes after
# the build, so that a new commit compiles nothing again.
ARG COMMIT=
RUN case "$COMMIT" in \
      "") strip -o /martlet /built ;; \
      *) test "${#COMMIT}" = 40 && printf '%s\0' "$COMMIT" > /commit \
        && objcopy --strip-all --update-section martlet_commit=/commit /built /martlet ;; \
    esac

FROM ${RUN_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libsqlite3-0 zlib1g libcrypt1 libexpat1 libstdc++6 libgcc-s1 tzdata libcurl4 ca-certificates \
    libdqlite0 \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin martlet \
  && install -d -o martlet -g martlet -m 0750 /data
COPY --from=build /martlet /usr/local/bin/martlet
ARG COMMIT=
LABEL org.opencontainers.image.revision=$COMMIT
USER martlet
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# The first start of a new version migrates the database before it listens, which can take minutes. The
# first success ends the start period.
HEALTHCHECK --interval=10s --timeout=3s --start-period=1h --retries=3 CMD ["martlet", "health"]
ENTRYPOINT ["martlet"]
# On a non-loopback address Martlet needs API keys: the first start creates an admin key and prints it.
CMD ["serve", "--host", "0.0.0.0", "--database", "/data/martlet.db", "--first-key"]
