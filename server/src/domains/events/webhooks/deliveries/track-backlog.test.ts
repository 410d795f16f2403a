import { expect, it } from 'vitest'
import { createLocalBacklog, type LocalBacklog } from './track-backlog.ts'

/** Starts deliveries that last until the result is called. */
function hold(backlog: LocalBacklog, orgId: string, count: number): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = Array.from({ length: count }, () => backlog.during(orgId, () => promise))
  return () => {
    resolve()
    return Promise.all(held)
  }
}

it('an organisation with 64 waiting deliveries gets no more until some are sent, and others are not affected', async () => {
  const backlog = createLocalBacklog()
  const few = hold(backlog, 'few', 63)
  const many = hold(backlog, 'many', 64)
  expect(backlog.saturated()).toEqual({
    services: [],
    organizations: [{ orgId: 'many', service: 'Deliveries' }],
  })
  await many()
  expect(backlog.saturated()).toEqual({ services: [], organizations: [] })
  await few()
})

it('with 512 waiting deliveries in total, no organisation gets more', async () => {
  const backlog = createLocalBacklog()
  const releases = Array.from({ length: 16 }, (_, org) => hold(backlog, `org ${org}`, 32))
  expect(backlog.saturated().services).toEqual(['Deliveries'])
  for (const release of releases) await release()
  expect(backlog.saturated().services).toEqual([])
})

it('a delivery that fails no longer counts', async () => {
  const backlog = createLocalBacklog()
  await Promise.allSettled(
    Array.from({ length: 64 }, () => backlog.during('org', () => Promise.reject(new Error('no')))),
  )
  expect(backlog.saturated().organizations).toEqual([])
})
