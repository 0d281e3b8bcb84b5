// A typed client of the HTTP API of kibitz over fetch. Its types are those of the OpenAPI document of the service.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

/** The objects of requests and answers, by their names at /docs: Schemas["Move"]. */
export type Schemas = components["schemas"];

/**
 * Return a client of the service at an address. GET, POST and DELETE take a path of the API and what it needs, and return
 * `data`, or `error` for a refusal: a Schemas["Problem"]. They throw if the service cannot be reached.
 * `key`: an API key.
 */
export function kibitz(address: string, { key = "" } = {}): Client<paths> {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  return createClient<paths>({ baseUrl: `${address.replace(/\/+$/, "")}/v1`, headers });
}
