// Analyze a position with the types that openapi-typescript generates, and print the best move and its score.
import createClient from "openapi-fetch";
import type { components, paths } from "./kibitz.js";

declare const process: { argv: string[] };

type Move = components["schemas"]["Move"];

const [, , address = "", cgp = ""] = process.argv;
const client = createClient<paths>({ baseUrl: address });

const { data, error } = await client.POST("/analyze", { body: { cgp, top_n: 3 } });
if (error) throw new Error(`${error.code}: ${error.errors[0]?.pointer ?? ""}`);
if (!("moves" in data)) throw new Error(`a job: ${data.id}`);
const best: Move | undefined = data.moves[0];
if (!best) throw new Error("no move");
const score: number = best.score;
console.log(best.move, score);
