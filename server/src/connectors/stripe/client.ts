import { z } from 'zod'
import type { ConnectorContext } from '../kit/connector.ts'
import { encodeForm, type Form } from '../kit/form-body.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readReply, type Envelope, type Reply } from '../kit/replies.ts'
import { refusalSchema } from './answers.ts'
import type { StripeCredentials } from './credentials.ts'

/** With a form it is a POST; without a key only what may be carried out twice. */
export type StripeClient = (path: string, request?: Request) => Promise<Reply>
type Request = { query: Form } | { form: Form; key?: string }

export function createClient({ http, credentials }: ConnectorContext<StripeCredentials>): StripeClient {
  const { baseUrl, secretKey, apiVersion } = credentials
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': apiVersion }
  return async (path, request = { query: {} }) => {
    const url = `${baseUrl}${path}`
    if ('query' in request) {
      const query = encodeForm(request.query)
      const result = await http({ method: 'GET', url: query ? `${url}?${query}` : url, headers })
      return readReply(result, envelopeOf)
    }
    const { form, key } = request
    const sent = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const keyed = key === undefined ? sent : { ...sent, 'idempotency-key': key }
    return readReply(await http({ method: 'POST', url, headers: keyed, body: encodeForm(form) }), envelopeOf)
  }
}

/** There is none: an error is what carries an `error`. */
function envelopeOf(body: string): Envelope | undefined {
  const error = parseAnswer(body, refusalSchema)?.error
  const common = { data: error, meta: null }
  if (error) return { ...common, isSuccess: false, words: [error.type, error.code, error.decline_code] }
  const data = parseAnswer(body, z.looseObject({}))
  return data && { ...common, isSuccess: true, words: [], data }
}
