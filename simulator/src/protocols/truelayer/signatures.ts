import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { OpenCall } from '../../core/call.ts'
import type { Kit, UnsignedWebhook } from '../../protocol.ts'

const headerSchema = z.object({
  alg: z.literal('ES512'),
  kid: z.string(),
  tl_version: z.literal('2'),
  tl_headers: z.string().default(''),
})
const keySchema = z.object({ kid: z.string(), pem: z.string() })

const encode = (text: string): string => Buffer.from(text).toString('base64url')

function payloadOf(request: {
  method: string
  path: string
  headers: readonly (readonly [string, string])[]
  body: string
}): string {
  const lines = request.headers.map(([name, value]) => `${name}: ${value}\n`)
  return `${request.method} ${request.path}\n${lines.join('')}${request.body}`
}

/** Verifies a detached JWS over method, path, headers and body. The headers must include the idempotency key. */
export function isSignedRequest(call: OpenCall, kid: unknown, publicKey: string): boolean {
  const [encoded = '', , signature = ''] = (call.header('tl-signature') ?? '').split('.')
  try {
    const json: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    const header = headerSchema.parse(json)
    const names = header.tl_headers.split(',').filter((name) => name !== '')
    const isKeyed = names.some((name) => name.toLowerCase() === 'idempotency-key')
    const headers = names.map((name) => [name, call.header(name) ?? ''] as const)
    const { method, path } = call
    const payload = payloadOf({ method, path, headers, body: call.rawBody.toString('utf8') })
    const signed = Buffer.from(`${encoded}.${encode(payload)}`)
    const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' } as const
    return header.kid === kid && isKeyed && verify('sha512', signed, key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** TrueLayer's key, which signs the webhooks and is published as a JWKS. */
export function openWebhookKey(kit: Kit) {
  const store = kit.objects('webhook-key', keySchema)
  const known = store.get('current') ?? { kid: `webhooks-${kit.clock.now().getTime()}`, pem: newKey() }
  store.put('current', known)
  const jwksPath = '/truelayer/.well-known/jwks'
  return {
    jwks: () => ({
      keys: [{ ...createPublicKey(known.pem).export({ format: 'jwk' }), kid: known.kid, use: 'sig' }],
    }),
    /** A forged webhook has the same key id and is signed with another key. */
    sign: ({ url, body, contentType, at, forged }: UnsignedWebhook): Record<string, string> => {
      const timestamp = `${at.toISOString().slice(0, 19)}Z`
      const headers = [
        ['X-Tl-Webhook-Timestamp', timestamp],
        ['Content-Type', contentType],
      ] as const
      const header = encode(
        JSON.stringify({
          alg: 'ES512',
          kid: known.kid,
          tl_version: '2',
          tl_headers: headers.map(([name]) => name).join(','),
          jku: `${kit.publicUrl()}${jwksPath}`,
        }),
      )
      const payload = payloadOf({ method: 'POST', path: url.pathname, headers, body })
      const key = { key: forged ? newKey() : known.pem, dsaEncoding: 'ieee-p1363' } as const
      const signature = sign('sha512', Buffer.from(`${header}.${encode(payload)}`), key)
      return {
        'tl-signature': `${header}..${signature.toString('base64url')}`,
        'x-tl-webhook-timestamp': timestamp,
      }
    },
  }
}

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-521' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
