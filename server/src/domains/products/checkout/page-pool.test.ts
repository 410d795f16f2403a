import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { recordStatements } from '../../../../test/sql/record-statements.ts'
import { openLinks } from '../../../../test/worlds/test-links.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { returnToken } from '../../payments/actions/build-return-url.ts'

const poolSize = 4
const pagePoolSize = 2
const t = usePayments({
  delayMs: untilSettled,
  env: {
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: String(poolSize),
    PAGE_DATABASE_POOL_SIZE: String(pagePoolSize),
  },
})

let stopped = new AbortController()
afterEach(() => {
  stopped.abort()
  stopped = new AbortController()
})

const open = (path: string): Promise<Response> => fetch(`${t.url}${path}`, { signal: stopped.signal })

describe('pages', () => {
  it('that wait for the database do not delay a payment', async () => {
    const org = await openLinks(t)
    const { url, link_id: linkId } = await org.make()
    const paymentId = await org.start(mobileMoneyPayin())
    await t.owner.query('update payments set link_id = $1 where payment_id = $2', [linkId, paymentId])
    const path = new URL(url).pathname
    const returned = `/return/${returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId })}`
    const paths = [path, `${path}/status`, `${path}/events`, `${path}/logo`, returned]
    const lock = await t.owner.connect()
    await lock.query('begin; lock table payment_links in access exclusive mode')
    const waiting = async (): Promise<number> => {
      const { rows } = await t.owner.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length
    }
    const pages = paths.flatMap((page) =>
      Array.from({ length: 2 * poolSize }, () => open(page).catch(() => undefined)),
    )
    try {
      await expect.poll(waiting).toBeGreaterThanOrEqual(pagePoolSize)
      const requests = [t.admin, org.credential].map((as) => org.initiate(mobileMoneyPayin(), { as }))
      const answers = await Promise.all(requests)
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      // Pages have a pool for each of two roles, and have taken no connection of those that payments use.
      expect(await waiting()).toBeLessThanOrEqual(2 * pagePoolSize)
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    await Promise.all(pages)
    expect((await open(`${path}/status`)).status).toBe(200)
  })

  it('of one address hold a few streams, however many they open', async () => {
    const org = await openLinks(t)
    const paymentId = await org.start(cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN' }))
    const path = `/return/${returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId })}/events`
    const responses = await Promise.all(Array.from({ length: 299 }, () => open(path)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 204)).toHaveLength(279)
  })

  it('that nothing happens to are looked at together, and read when something does', async () => {
    const org = await openLinks(t)
    const links = [await org.make(), await org.make()]
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openStream(`${links[index % 2]!.url}/events`)),
    )
    await Promise.all(streams.map(({ next }) => next()))
    const { statements } = await recordStatements(() => delay(2_500))
    // A look is a statement or two for all of them, however many looks there were; each alone would need one.
    expect(statements.length).toBeLessThan(streams.length)
    const canceled = links[0]!.link_id
    await org.call('DELETE', `/v1/orgs/${org.orgId}/payment-links/${canceled}`)
    const told = streams.filter((_, index) => index % 2 === 0)
    expect(await Promise.all(told.map(({ next }) => next()))).toEqual(told.map(() => 'data: canceled.2\n\n'))
  })
})

async function openStream(url: string): Promise<{ next: () => Promise<string> }> {
  const reader = (await open(new URL(url).pathname)).body!.getReader()
  return { next: async () => Buffer.from((await reader.read()).value!).toString() }
}
