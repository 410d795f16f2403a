import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { copyIn, copyOut } from './copy-stream.ts'

const t = useDatabase()
let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: databaseUrl(inject('postgresUrl'), t.name, 'postgres') })
  await client.connect()
  await client.query('create temp table copied (n integer, filler text)')
})
afterAll(() => client.end())

const copyRows = (count: number): ReturnType<typeof copyOut> =>
  copyOut(
    client,
    `copy (select n, repeat('x', 200) from generate_series(1, ${count}) n) to stdout (format csv)`,
  )
const expected = (count: number): string =>
  Array.from({ length: count }, (_row, index) => `${index + 1},${'x'.repeat(200)}\n`).join('')

it.each([1, 300, 320, 700, 5_000])('%i rows reach a reader that is slower than the server', async (count) => {
  const chunks: Buffer[] = []
  const slow = new Writable({
    highWaterMark: 1_000,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      setImmediate(done)
    },
  })
  const { output, rows } = copyRows(count)
  await pipeline(output, slow)
  expect(await rows).toBe(count)
  expect(Buffer.concat(chunks).toString()).toBe(expected(count))
  // The connection answers again, also if it had to wait for the reader until the end.
  expect((await buffer(copyRows(count).output)).toString()).toBe(expected(count))
})

it('a reader that fails leaves a connection that can be used', async () => {
  const { output, rows } = copyRows(100_000)
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) })
  await expect(pipeline(output, full)).rejects.toThrow('the disk is full')
  expect(await rows).toBe(100_000)
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('rows are written from a stream, and none of one that fails', async () => {
  const copy = 'copy copied from stdin (format csv)'
  expect(await copyIn(client, copy, Readable.from([Buffer.from(expected(3_000))]))).toBe(3_000)
  const failing = Readable.from(
    (function* () {
      yield Buffer.from('1,x\n')
      throw new Error('the file ends early')
    })(),
  )
  await expect(copyIn(client, copy, failing)).rejects.toThrow('the file ends early')
  expect((await client.query('select count(*)::integer as count from copied')).rows).toEqual([
    { count: 3_000 },
  ])
})
