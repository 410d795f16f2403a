import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { credentialHeaders } from '../../../test/app/test-app.ts'
import { useSignIn, type TestBrowser } from '../../../test/worlds/test-sign-in.ts'

const s = useSignIn()
let browser: TestBrowser
const longPath = '/v1/catalog/roles'
const shortPath = '/v1/users/me/waiting'

beforeAll(async () => {
  browser = s.newBrowser()
  await browser.signIn(await s.addAccount(s.t.seed.orgs[0]?.org_id ?? '', 'org-admin'))
})

const asSession = (): Record<string, string> => ({
  authorization: 'NONE',
  'x-api-key': 'NONE',
  'sec-fetch-site': 'same-origin',
  cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
})

async function read(path: string, headers: Record<string, string>) {
  const response = await request(`${s.t.url}${path}`, { headers })
  return {
    status: response.statusCode,
    encoding: response.headers['content-encoding'],
    body: Buffer.from(await response.body.arrayBuffer()),
  }
}

describe('what a session reads', () => {
  it('is compressed as the browser accepts it, with the same content', async () => {
    const plain = await read(longPath, asSession())
    expect(plain).toMatchObject({ status: 200, encoding: undefined })
    const brotli = await read(longPath, { ...asSession(), 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.encoding).toBe('br')
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    const gzip = await read(longPath, { ...asSession(), 'accept-encoding': 'gzip' })
    expect(gzip.encoding).toBe('gzip')
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(brotli.body.length).toBeLessThan(plain.body.length / 2)
  })

  it('is sent as it is when it is short', async () => {
    const short = await read(shortPath, { ...asSession(), 'accept-encoding': 'br' })
    expect(short).toMatchObject({ status: 200, encoding: undefined })
  })
})

describe('what an API key reads', () => {
  it('is not compressed', async () => {
    const key = s.t.seed.platformAdmin.api_key
    const answer = await read(longPath, { ...credentialHeaders(key), 'accept-encoding': 'br' })
    expect(answer).toMatchObject({ status: 200, encoding: undefined })
  })
})
