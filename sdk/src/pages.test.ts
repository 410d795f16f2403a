import { describe, expect, it } from 'vitest'
import { json, lost, refusal, stubbed } from './testing/stub-fetch.ts'

const page = (ids: readonly string[], next: string | null) =>
  json(
    `{"status":"success","message":"ok","data":[${ids
      .map((id) => `{"payment_id":"${id}","amount":1.50}`)
      .join(',')}],"meta":{"count":${ids.length},"last_evaluated_key":${JSON.stringify(next)}}}`,
  )
const threePages = () => [page(['a', 'b'], 'k1'), page([], 'k2'), page(['c'], null)]

describe('a list', () => {
  it('is read page by page, over an empty page too, with exact amounts', async () => {
    const { client, sent } = stubbed(threePages())
    const rows: string[] = []
    for await (const row of client.transactions.list({ limit: 2 }))
      rows.push(`${row.payment_id} ${row.amount}`)
    expect(rows).toEqual(['a 1.50', 'b 1.50', 'c 1.50'])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&last_evaluated_key=k1',
      '?limit=2&last_evaluated_key=k2',
    ])
  })

  it('sends nothing before it is read, and no more pages than the limit needs', async () => {
    const { client, sent } = stubbed(threePages())
    const list = client.transactions.list()
    expect(sent).toEqual([])
    expect((await list.toArray({ limit: 2 })).map(({ payment_id: id }) => id)).toEqual(['a', 'b'])
    expect(sent).toHaveLength(1)
    expect(await list.toArray({ limit: 0 })).toEqual([])
  })

  it('shares one request between concurrent calls of next', async () => {
    const { client, sent } = stubbed(threePages())
    const rows = client.transactions.list()[Symbol.asyncIterator]()
    const results = await Promise.all([rows.next(), rows.next(), rows.next(), rows.next(), rows.next()])
    expect(results.map(({ value, done }) => (done === true ? 'end' : value?.payment_id))).toEqual([
      'a',
      'b',
      'c',
      'end',
      'end',
    ])
    expect(sent).toHaveLength(3)
  })

  it('ends when the loop is left, and continues after an error', async () => {
    const { client } = stubbed([page(['a'], 'k1'), refusal(404, 'NOT_FOUND'), page(['b'], null)])
    const rows = client.transactions.list()[Symbol.asyncIterator]()
    await rows.next()
    await expect(rows.next()).rejects.toThrow('NOT_FOUND')
    expect((await rows.next()).value?.payment_id).toBe('b')
    const left = stubbed(threePages()).client.transactions.list()[Symbol.asyncIterator]()
    await left.next()
    await left.return?.()
    expect(await left.next()).toEqual({ done: true, value: undefined })
  })

  it('has the other cursor name where the API has it', async () => {
    const reply = (next: string | null) => json({ data: [{}], meta: { lastEvaluatedKey: next } })
    const { client, sent } = stubbed([reply('k1'), reply(null)])
    expect(await client.organizations.list().toArray({ limit: 9 })).toHaveLength(2)
    expect(sent[1]?.url).toContain('?lastEvaluatedKey=k1')
  })

  it('firstPage has the cursor of the next page', async () => {
    const { client } = stubbed(threePages())
    const { data, cursor } = await client.transactions.list().firstPage()
    expect([data.length, cursor]).toEqual([2, 'k1'])
  })

  it('as CSV is streamed with the same filters, after retries', async () => {
    const { client, sent } = stubbed([lost(), new Response('id,amount\na,1.50\n')])
    const stream = await client.transactions.list({ status: 'failed' }).csv()
    expect(await new Response(stream).text()).toBe('id,amount\na,1.50\n')
    expect([sent[1]?.headers.get('accept'), new URL(sent[1]?.url ?? '').search]).toEqual([
      'text/csv',
      '?status=failed',
    ])
    const refused = stubbed([refusal(403, 'FORBIDDEN')]).client
    await expect(refused.transactions.list().csv()).rejects.toMatchObject({ status: 403 })
  })
})
