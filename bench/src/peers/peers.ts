import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'

/** A request that a peer is asked again and again; `{uuid}` in the body is new each time. */
interface PeerRequest {
  path: string
  headers: Record<string, string>
  body: string
  okStatus: number
}

interface Peer {
  /** What one request does there. */
  does: string
  /** Our own measurement that stands beside it. */
  beside: string
  /** What `--token` has to be; nothing if the peer asks for none. */
  token?: string
  /** Makes what the requests need, and returns them. */
  prepare(origin: string, token: string): Promise<PeerRequest>
}

const json = { 'content-type': 'application/json', accept: 'application/json' }

interface Call {
  method?: 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: object
}

/** Throws unless the peer has done it; returns its answer, and the address of what it has made. */
async function call(
  origin: string,
  { method = 'POST', path, headers = {}, body = {} }: Call,
): Promise<{ text: string; location: string }> {
  const answer = await request(`${origin}${path}`, {
    method,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${path} answered ${answer.statusCode} ${text.slice(0, 500)}`)
  return { text, location: String(answer.headers['location'] ?? '') }
}

/** A posting from the outside to one of many accounts, with a reference of its own. */
const formance: Peer = {
  does: 'writes a transaction with one posting',
  beside: 'npm run bench -- ledger',
  async prepare(origin) {
    const ledger = `bench-${randomUUID().slice(0, 8)}`
    await call(origin, { path: `/v2/${ledger}` })
    const posting = { source: 'world', destination: 'users:{uuid}', amount: 5000, asset: 'UGX' }
    return {
      path: `/v2/${ledger}/transactions`,
      headers: json,
      body: JSON.stringify({ postings: [posting], reference: 'order-{uuid}', metadata: {} }),
      okStatus: 200,
    }
  },
}

const application = z.object({ id: z.string() })

/** A message of an application without endpoints, so that only what the caller waits for is measured. */
const svix: Peer = {
  does: 'accepts a message for an application',
  beside: 'npm run bench -- webhooks',
  token: 'a token that the server has signed',
  async prepare(origin, token) {
    const headers = { ...json, authorization: `Bearer ${token}` }
    const made = await call(origin, { path: '/api/v1/app/', headers, body: { name: 'bench' } })
    const { id } = application.parse(JSON.parse(made.text))
    return {
      path: `/api/v1/app/${id}/msg/`,
      headers,
      body: JSON.stringify({
        eventType: 'payment.completed',
        eventId: 'order-{uuid}',
        payload: { payment_id: '{uuid}', amount: 5000, currency: 'UGX' },
      }),
      okStatus: 202,
    }
  },
}

/** A purchase through the built-in payment method for payments outside, which calls no provider. */
const killBill: Peer = {
  does: 'makes a purchase without calling a provider',
  beside: 'npm run bench -- initiate',
  token: 'user:password of an administrator, such as admin:password',
  async prepare(origin, token) {
    const key = `bench-${randomUUID().slice(0, 8)}`
    const basic = {
      ...json,
      authorization: `Basic ${Buffer.from(token).toString('base64')}`,
      'x-killbill-createdby': 'bench',
    }
    await call(origin, { path: '/1.0/kb/tenants', headers: basic, body: { apiKey: key, apiSecret: key } })
    const headers = { ...basic, 'x-killbill-apikey': key, 'x-killbill-apisecret': key }
    const account = await call(origin, {
      path: '/1.0/kb/accounts',
      headers,
      body: { name: 'Bench', currency: 'UGX' },
    })
    const path = new URL(account.location, origin).pathname
    await call(origin, {
      path: `${path}/paymentMethods?isDefault=true`,
      headers,
      body: { pluginName: '__EXTERNAL_PAYMENT__', pluginInfo: {} },
    })
    return {
      path: `${path}/payments`,
      headers,
      body: JSON.stringify({
        transactionType: 'PURCHASE',
        amount: 5000,
        currency: 'UGX',
        transactionExternalKey: 'order-{uuid}',
      }),
      okStatus: 201,
    }
  },
}

export const peers: Readonly<Record<string, Peer>> = { formance, svix, killbill: killBill }
