import { beforeEach, describe, expect, it } from 'vitest'
import { isLinkTaken } from '../../../kernel/db/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import type { LinkClaim, StoredLink } from './record.ts'
import type { LinkStatus } from './rules.ts'
import {
  claimLink,
  clearPrivate,
  expireDueLinksAcrossOrgs,
  findLink,
  findLinkByRefAcrossOrgs,
  insertLink,
  markLinkPaid,
  selectLinks,
  selectLinkVersionsAcrossOrgs,
  updateLinkRate,
  updateLinkRow,
} from './store.ts'

/** An organisation has many links. Each is read and changed alone. */
const hourMs = 60 * 60_000
const noon = new Date('2026-03-01T12:00:00Z')
const after = (ms: number): Date => new Date(noon.getTime() + ms)
const t = useDatabase()
let orgId: string
let one: StoredLink
let other: StoredLink
let elsewhere: StoredLink
beforeEach(async () => {
  orgId = newId()
  one = await made(orgId)
  other = await made(orgId)
  elsewhere = await made(newId())
})

async function made(owner: string): Promise<StoredLink> {
  const linkId = newId()
  const link: StoredLink = {
    orgId: owner,
    linkId,
    linkRef: `ref ${linkId}`,
    userId: 'ann',
    amountType: 'fixed',
    amount: { amountMinor: 25_00n, currency: 'GBP' },
    payerCurrency: 'GBP',
    country: null,
    description: 'Order 7',
    clientReference: null,
    returnUrl: null,
    privateSealed: Buffer.from('sealed'),
    status: 'active',
    version: 1,
    paymentId: null,
    sessionHash: null,
    orgRateId: null,
    expiresAt: after(hourMs),
    paidAt: null,
    createdAt: noon,
  }
  await t.db.inOrg(owner, (tx) => insertLink(tx, owner, link))
  return link
}
const found = ({ orgId: owner, linkId }: StoredLink): Promise<StoredLink | undefined> =>
  t.db.inOrg(owner, (tx) => findLink(tx, owner, linkId))
/** The other links, which are as they were. */
async function expectOthersUnchanged(): Promise<void> {
  expect([await found(other), await found(elsewhere)]).toEqual([other, elsewhere])
}
const setStatus = ({ linkId }: StoredLink, status: LinkStatus): Promise<unknown> =>
  t.owner.query(`update payment_links set status = $2 where link_id = $1`, [linkId, status])

describe('a link', () => {
  it('is found by its id and by its reference', async () => {
    for (const link of [one, other, elsewhere]) {
      expect(await found(link)).toEqual(link)
      const named = await t.db.acrossOrgs((tx) => findLinkByRefAcrossOrgs(tx, link.linkRef))
      expect(named).toEqual(link)
    }
    expect(await found({ ...elsewhere, orgId })).toBeUndefined()
  })

  it('has its own version', async () => {
    await t.db.inOrg(orgId, (tx) => updateLinkRow(tx, orgId, one))
    const versionOf = (link: StoredLink, version: number) => {
      const { orgId: owner, linkId, paymentId } = link
      return { orgId: owner, linkId, version, paymentId }
    }
    const read = (...links: Pick<StoredLink, 'orgId' | 'linkId'>[]) =>
      t.db.acrossOrgs((tx) => selectLinkVersionsAcrossOrgs(tx.db, links))
    expect(await read(one)).toEqual([versionOf(one, 2)])
    expect(await read(elsewhere)).toEqual([versionOf(elsewhere, 1)])
    expect(await read({ orgId, linkId: elsewhere.linkId })).toEqual([])
  })

  it('is changed alone, by whoever has read its last version', async () => {
    const change = (description: string): Promise<boolean> =>
      t.db.inOrg(orgId, (tx) => updateLinkRow(tx, orgId, { ...one, description }))
    expect([await change('mine'), await change('late')]).toEqual([true, false])
    expect(await found(one)).toEqual({ ...one, description: 'mine', version: 2 })
    await expectOthersUnchanged()
  })

  it('shows a rate of its own', async () => {
    const orgRateId = newId()
    await t.db.inOrg(orgId, (tx) => updateLinkRate(tx, orgId, { linkId: one.linkId, orgRateId }))
    expect(await found(one)).toEqual({ ...one, orgRateId })
    await expectOthersUnchanged()
  })

  it('loses its private data alone', async () => {
    await t.db.inOrg(orgId, (tx) => clearPrivate(tx, orgId, [one.linkId, elsewhere.linkId]))
    expect(await found(one)).toEqual({ ...one, privateSealed: Buffer.alloc(0) })
    await expectOthersUnchanged()
  })
})

describe('a link at the moment of its expiry', () => {
  const listed = async (status: LinkStatus, ms: number): Promise<string[]> => {
    const page = { status, now: after(ms), limit: 10, before: undefined }
    const links = await t.db.inOrg(orgId, (tx) => selectLinks(tx, orgId, page))
    return links.map(({ linkId }) => linkId)
  }

  it('is listed as expired, and as active until then', async () => {
    const both = [one.linkId, other.linkId].toSorted().toReversed()
    const statuses = ['active', 'expired'] as const
    const at = (ms: number) => Promise.all(statuses.map((status) => listed(status, ms)))
    expect(await at(hourMs - 1)).toEqual([both, []])
    expect(await at(hourMs)).toEqual([[], both])
  })

  it('is expired, unless it has ended before', async () => {
    await t.db.acrossOrgs((tx) => expireDueLinksAcrossOrgs(tx, after(hourMs - 1), 100))
    expect((await found(one))?.status).toBe('active')
    await setStatus(other, 'canceled')
    await t.db.acrossOrgs((tx) => expireDueLinksAcrossOrgs(tx, after(hourMs), 100))
    expect([await found(one), await found(other)]).toEqual([
      { ...one, status: 'expired', version: 2 },
      { ...other, status: 'canceled' },
    ])
  })
})

describe('a payment', () => {
  const claim = (change: Partial<LinkClaim> = {}, ms = 0): Promise<unknown> => {
    const seen = { linkId: one.linkId, version: 1, sessionHash: Buffer.from('browser'), ...change }
    return t.db.batchInOrg(orgId, [claimLink(orgId, seen, { paymentId: newId(), createdAt: after(ms) })])
  }

  it('claims its link alone, until the moment of the expiry', async () => {
    await expect(claim({}, hourMs)).rejects.toSatisfy(isLinkTaken)
    await claim({}, hourMs - 1)
    expect(await found(one)).toEqual({
      ...one,
      paymentId: expect.any(String),
      sessionHash: Buffer.from('browser'),
      version: 2,
    })
    await expectOthersUnchanged()
  })

  it('does not claim a link that has changed since its payer saw it', async () => {
    await claim()
    const claimed = await found(one)
    await expect(claim()).rejects.toSatisfy(isLinkTaken)
    expect(await found(one)).toEqual(claimed)
    await claim({ version: 2 })
  })

  it.each(['expired', 'canceled'] as const)('does not claim a link that is %s', async (status) => {
    await setStatus(one, status)
    await expect(claim()).rejects.toSatisfy(isLinkTaken)
    expect(await found(one)).toEqual({ ...one, status })
  })

  it('pays its link alone, and the first one counts', async () => {
    const paid = async (ms: number): Promise<string> => {
      const paymentId = newId()
      const payment = { paymentId, updatedAt: after(ms) }
      await t.db.batchInOrg(orgId, [markLinkPaid(orgId, one.linkId, payment)])
      return paymentId
    }
    const paymentId = await paid(1)
    await paid(2)
    expect(await found(one)).toEqual({ ...one, status: 'paid', paidAt: after(1), paymentId, version: 2 })
    await expectOthersUnchanged()
  })
})
