import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createResolver } from './resolve-addresses.ts'

const typeA = 1
const typeAaaa = 28
const noSuchName = 3
const servfail = 2

interface Answer {
  code?: number
  addresses?: Partial<Record<number, number[][]>>
}

const zone: Record<string, Answer | 'silence'> = {
  'both.test': {
    addresses: {
      [typeA]: [
        [192, 0, 2, 1],
        [192, 0, 2, 2],
      ],
      [typeAaaa]: [[0x20, 1, ...Array(13).fill(0), 5]],
    },
  },
  'four.test': { addresses: { [typeA]: [[192, 0, 2, 4]] } },
  'six.test': { addresses: { [typeAaaa]: [[0x20, 1, ...Array(13).fill(0), 6]] } },
  'gone.test': { code: noSuchName },
  'broken.test': { code: servfail },
  'silent.test': 'silence',
}
const asked = new Map<string, number>()
let server: Socket
let resolve: ReturnType<typeof createResolver>

/** The name and type of the only question, and the length of the message up to its end. */
function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer): Buffer | undefined {
  const { name, type, end } = question(query)
  asked.set(name, (asked.get(name) ?? 0) + 1)
  const answer = zone[name] ?? { code: noSuchName }
  if (answer === 'silence') return undefined
  const records = (answer.addresses?.[type] ?? []).map((bytes) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), Buffer.from(bytes)]),
  )
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (answer.code ?? 0), 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt16BE(0, 10)
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (query, from) => {
    const answer = answerTo(query)
    if (answer) server.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
  resolve = createResolver({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 100 })
})
afterAll(() => {
  server.close()
})

it('returns all addresses of both families', async () => {
  expect(await resolve('both.test')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001::5', family: 6 },
  ])
})

it('succeeds with addresses of one family', async () => {
  expect(await resolve('four.test')).toEqual([{ address: '192.0.2.4', family: 4 }])
  expect(await resolve('six.test')).toEqual([{ address: '2001::6', family: 6 }])
})

it.each([
  ['gone.test', 'ENOTFOUND'],
  ['broken.test', 'ESERVFAIL'],
  ['silent.test', 'ETIMEOUT'],
])('%s fails with %s, after a bounded time', async (name, code) => {
  await expect(resolve(name)).rejects.toMatchObject({ code })
})

it('resolves again each time, because a safe answer may have changed', async () => {
  const before = asked.get('four.test') ?? 0
  await resolve('four.test')
  await resolve('four.test')
  expect(asked.get('four.test')).toBe(before + 4)
})

it('localhost is resolved by the machine itself', async () => {
  const addresses = (await resolve('localhost')).map(({ address }) => address)
  expect(addresses).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]))
  expect(asked.has('localhost')).toBe(false)
})
