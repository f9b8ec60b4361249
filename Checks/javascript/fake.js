// A server inside of the test: `fetch` that answers as the test says.

/** A `fetch` that hands each request to `answer(request)` and remembers it. */
export function fakeFetch(answer) {
  const requests = [];
  const fetch = async (url, { method = "GET", headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    const request = {
      url,
      method,
      signal,
      headers: Object.fromEntries(headers),
      body: body === undefined ? undefined : JSON.parse(body),
    };
    requests.push(request);
    const aborted = new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    return Promise.race([(async () => answer(request, requests.length))(), aborted]);
  };
  return { fetch, requests };
}

export const json = (body, { status = 200, ...fields } = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...fields },
  });

export const problem = (status, members = {}, fields = {}) =>
  new Response(
    JSON.stringify({ type: "/problems/overloaded", title: "A title", status, ...members }),
    {
      status,
      headers: { "Content-Type": "application/problem+json", ...fields },
    },
  );

/** An event stream to which the test writes. */
export class FakeStream {
  #controller;
  isCancelled = false;

  constructor(signal) {
    const body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.isCancelled = true;
      },
    });
    signal?.addEventListener("abort", () => this.cut());
    this.response = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  write(text) {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }
  event(type, data, id) {
    this.write(
      `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  }
  end() {
    this.#controller.close();
  }
  cut() {
    try {
      this.#controller.error(new TypeError("cut"));
    } catch { /* It has ended. */ }
  }
}
