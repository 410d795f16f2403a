import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readData, type Envelope } from '../kit/replies.ts'
import { bearer, createReplyClient, jsonBody, type ReplyClient } from '../kit/reply-client.ts'
import { handledSchema, refusalSchema } from './answers.ts'
import type { CircleCredentials } from './credentials.ts'

export const paths = {
  configuration: '/v1/configuration',
  wires: '/v1/businessAccount/banks/wires',
  deposits: '/v1/businessAccount/deposits',
  payouts: '/v1/businessAccount/payouts',
  transfers: '/v1/businessAccount/transfers',
  depositAddresses: '/v1/businessAccount/wallets/addresses/deposit',
  recipients: '/v1/businessAccount/wallets/addresses/recipient',
} as const

export type CircleClient = ReplyClient

export const createClient = ({ baseUrl, apiKey }: CircleCredentials, http: HttpClient): CircleClient =>
  createReplyClient({ http, baseUrl, headers: bearer(apiKey), envelopeOf }, jsonBody)

function envelopeOf(body: string): Envelope | undefined {
  const handled = parseAnswer(body, handledSchema)
  if (handled) return { isSuccess: true, words: [], data: handled.data, meta: null }
  const refusal = parseAnswer(body, refusalSchema)
  return refusal && { isSuccess: false, words: [`${refusal.code}`, refusal.message], data: null, meta: null }
}

const pageSize = 50
const pagesLimit = 20

/** Undefined if the answer cannot be read. */
export async function readPage<Row extends { id: string }>(
  client: CircleClient,
  path: string,
  schema: z.ZodType<Row>,
  query: Readonly<Record<string, string>>,
): Promise<{ rows: Row[]; isLast: boolean } | undefined> {
  const search = new URLSearchParams({ ...query, pageSize: String(pageSize) })
  const rows = readData(await client(`${path}?${search.toString()}`), schema.array())
  return rows && { rows, isLast: rows.length < pageSize }
}

/** Every row, or undefined, because an incomplete list could give a wrong result. */
export async function readAll<Row extends { id: string }>(
  client: CircleClient,
  path: string,
  schema: z.ZodType<Row>,
  query: Readonly<Record<string, string>> = {},
): Promise<Row[] | undefined> {
  const all: Row[] = []
  for (let count = 0; count < pagesLimit; count += 1) {
    const last = all.at(-1)
    const page = await readPage(client, path, schema, { ...query, ...(last && { pageAfter: last.id }) })
    all.push(...(page?.rows ?? []))
    if (page?.isLast !== false) return page && all
  }
  return undefined
}

/** The key is derived from the request, so an account is linked once, however often it is paid. */
export function keyOf(path: string, request: object): string {
  const hex = createHash('sha256').update(path).update(JSON.stringify(request)).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}
