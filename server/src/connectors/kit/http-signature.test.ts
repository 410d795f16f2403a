import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fitsDigest,
  isSignedWith,
  readSignature,
  signMessage,
  type MessageSignature,
  type SignatureAlgorithm,
  type SignedMessage,
} from './http-signature.ts'

const at = new Date('2026-11-14T10:00:00Z')
const keys: Record<SignatureAlgorithm, { publicKey: KeyObject; privateKey: KeyObject }> = {
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ecdsa-p384-sha384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'rsa-pss-sha512': generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'rsa-v1_5-sha256': generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
const algorithms = Object.keys(keys) as SignatureAlgorithm[]

const unsigned: SignedMessage = {
  method: 'POST',
  url: 'https://api.switchyard.test/providers/pawapay/webhooks/token',
  headers: { 'content-type': 'application/json' },
  rawBody: Buffer.from('{"depositId":"1"}'),
}

function signed(algorithm: SignatureAlgorithm, message = unsigned): SignedMessage {
  const privateKeyPem = keys[algorithm].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signer = { label: 'sig-pp', keyId: 'K:1', algorithm, privateKeyPem, at, lifetimeSeconds: 60 }
  return { ...message, headers: { ...message.headers, ...signMessage(message, signer) } }
}

function isValid(message: SignedMessage, key: KeyObject): boolean {
  const signature = readSignature(message, 'sig-pp')
  return signature !== undefined && fitsDigest(message) && isSignedWith(message, signature, key)
}

describe('the example of RFC 9421, B.2.3', () => {
  const message: SignedMessage = {
    method: 'POST',
    url: 'https://example.com/foo?param=Value&Pet=dog',
    headers: {
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-digest':
        'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
      'content-length': '18',
    },
    rawBody: Buffer.from('{"hello": "world"}'),
  }
  const components = 'date @method @path @query @authority content-type content-digest content-length'.split(
    ' ',
  )
  const signature: MessageSignature = {
    components,
    parameters: `(${components.map((name) => `"${name}"`).join(' ')});created=1618884473;keyid="test-key-rsa-pss"`,
    algorithm: 'rsa-pss-sha512',
    keyId: 'test-key-rsa-pss',
    createdAtMs: 1_618_884_473_000,
    expiresAtMs: 0,
    value: Buffer.from(
      [
        'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2v',
        'oTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZz',
        'NBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBr',
        'ohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
      ].join(''),
      'base64',
    ),
  }
  const key = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`)

  test('verifies with its published key, and its body matches its digest', () => {
    expect(isSignedWith(message, signature, key)).toBe(true)
    expect(fitsDigest(message)).toBe(true)
  })

  test('does not verify for another path', () => {
    expect(isSignedWith({ ...message, url: 'https://example.com/bar?param=Value' }, signature, key)).toBe(
      false,
    )
  })
})

describe('signatures', () => {
  test.each(algorithms)('%s: our signature verifies with its own key and with no other', (algorithm) => {
    const message = signed(algorithm)
    expect(readSignature(message, 'sig-pp')).toMatchObject({
      keyId: 'K:1',
      createdAtMs: at.getTime(),
      expiresAtMs: at.getTime() + 60_000,
    })
    for (const other of algorithms) expect(isValid(message, keys[other].publicKey)).toBe(other === algorithm)
  })

  test.each([
    ['the body', { rawBody: Buffer.from('{"depositId":"2"}') }],
    ['the method', { method: 'PUT' }],
    ['the path', { url: 'https://api.switchyard.test/providers/pawapay/webhooks/other' }],
    ['the host', { url: 'https://evil.test/providers/pawapay/webhooks/token' }],
  ])('another value of %s does not verify', (_what, change) => {
    expect(isValid({ ...signed('ecdsa-p256-sha256'), ...change }, keys['ecdsa-p256-sha256'].publicKey)).toBe(
      false,
    )
  })

  test.each(['content-digest', 'content-type', 'signature-date', 'signature', 'signature-input'])(
    'a missing or changed %s does not verify',
    (name) => {
      const message = signed('ecdsa-p256-sha256')
      const { publicKey } = keys['ecdsa-p256-sha256']
      for (const value of [undefined, '', `${String(message.headers[name])} `.repeat(2), 'x=:AAAA:']) {
        expect(isValid({ ...message, headers: { ...message.headers, [name]: value } }, publicKey)).toBe(false)
      }
    },
  )

  test('an ECDSA signature verifies in DER and in raw form', () => {
    const message = signed('ecdsa-p256-sha256')
    const signature = readSignature(message, 'sig-pp')!
    const { privateKey, publicKey } = keys['ecdsa-p256-sha256']
    const lines = signature.components.map((name) => {
      const derived: Record<string, string> = {
        '@method': 'POST',
        '@authority': 'api.switchyard.test',
        '@path': '/providers/pawapay/webhooks/token',
      }
      return `"${name}": ${derived[name] ?? String(message.headers[name])}`
    })
    const base = [...lines, `"@signature-params": ${signature.parameters}`].join('\n')
    const value = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'der' })
    expect(isSignedWith(message, { ...signature, value }, publicKey)).toBe(true)
  })

  test('no signature verifies with one changed bit in the signature or the body', () => {
    const message = signed('ecdsa-p256-sha256')
    const signature = readSignature(message, 'sig-pp')!
    const { publicKey } = keys['ecdsa-p256-sha256']
    const flip = (bytes: Buffer, bit: number) => {
      const copy = Buffer.from(bytes)
      const index = Math.floor(bit / 8) % copy.length
      copy[index] = copy[index]! ^ (1 << (bit % 8))
      return copy
    }
    fc.assert(
      fc.property(fc.nat(10_000), (bit) => {
        expect(isSignedWith(message, { ...signature, value: flip(signature.value, bit) }, publicKey)).toBe(
          false,
        )
        expect(fitsDigest({ ...message, rawBody: flip(message.rawBody, bit) })).toBe(false)
      }),
    )
  })
})

describe('an unreadable header is no signature', () => {
  const input = '("@method" "@path");alg="ecdsa-p256-sha256";keyid="K";created=1;expires=2'
  const read = (signatureInput: string, value = 'sig-pp=:AAAA:') =>
    readSignature({ ...unsigned, headers: { 'signature-input': signatureInput, signature: value } }, 'sig-pp')

  test('a simple header is read', () => {
    expect(read(`sig-pp=${input}`)).toMatchObject({ components: ['@method', '@path'], keyId: 'K' })
  })

  test.each([
    ['another label', `sig=${input}`, 'sig=:AAAA:'],
    ['labels that differ', `sig-pp=${input}`, 'sig=:AAAA:'],
    ['two signatures', `sig-pp=${input}, sig-pp=${input}`, 'sig-pp=:AAAA:'],
    ['an unknown algorithm', `sig-pp=${input.replace('ecdsa-p256-sha256', 'hmac-sha256')}`, 'sig-pp=:AAAA:'],
    [
      'a name from the prototype',
      `sig-pp=${input.replace('ecdsa-p256-sha256', 'constructor')}`,
      'sig-pp=:AAAA:',
    ],
    ['no algorithm', `sig-pp=${input.replace(';alg="ecdsa-p256-sha256"', '')}`, 'sig-pp=:AAAA:'],
    ['no creation time', `sig-pp=${input.replace(';created=1', '')}`, 'sig-pp=:AAAA:'],
    ['no end', `sig-pp=${input.replace(';expires=2', '')}`, 'sig-pp=:AAAA:'],
    ['a component twice', `sig-pp=${input.replace('"@path"', '"@method"')}`, 'sig-pp=:AAAA:'],
    ['a component with parameters', `sig-pp=${input.replace('"@path"', '"@path";req')}`, 'sig-pp=:AAAA:'],
    ['a value that is no base64', `sig-pp=${input}`, 'sig-pp=:*:'],
    ['nothing', '', ''],
  ])('%s', (_what, signatureInput, value) => {
    expect(read(signatureInput, value)).toBeUndefined()
  })

  test('a long malicious header', () => {
    expect(read(`sig-pp=(${'"a" '.repeat(20_000)}`)).toBeUndefined()
    expect(read(`sig-pp=()${';a=1'.repeat(20_000)}!`)).toBeUndefined()
  })
})

describe('digests', () => {
  const digestOf = (header: string) =>
    fitsDigest({
      ...unsigned,
      rawBody: Buffer.from('{"hello": "world"}'),
      headers: { 'content-digest': header },
    })
  const sha512 =
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'
  const sha256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'

  test.each([sha512, sha256, `${sha256}, ${sha512}`, `${sha512},unixsum=:AA==:`])('%s matches', (header) => {
    expect(digestOf(header)).toBe(true)
  })

  test.each(['', 'unixsum=:AA==:', 'md5=:AA==:', 'sha-256=:AAAA:', `${sha512}, sha-256=:AAAA:`, 'sha-256'])(
    '%j does not',
    (header) => {
      expect(digestOf(header)).toBe(false)
    },
  )
})
