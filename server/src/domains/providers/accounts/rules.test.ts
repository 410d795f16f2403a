import { describe, expect, it } from 'vitest'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { hmac } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { ringOf } from '../../../../test/app/test-keys.ts'
import type { ProviderAccount } from './record.ts'
import {
  custodyOf,
  notFoundWindow,
  pathOfUrl,
  readWebhookToken,
  resolveAccount,
  sealContextOf,
  webhookToken,
  webhookUrlOf,
} from './rules.ts'

const orgId = newId()
const now = new Date('2026-03-01T12:00:00Z')
const accountOf = (accountId: string, change: Partial<ProviderAccount> = {}): ProviderAccount => ({
  orgId,
  accountId,
  provider: 'paystack',
  label: accountId,
  externalAccountId: null,
  status: 'active',
  isSuspended: false,
  keysChangedAt: null,
  createdAt: now,
  updatedAt: now,
  ...change,
})
const pooled = (accountId: string, change: Partial<ProviderAccount> = {}): ProviderAccount =>
  accountOf(accountId, { orgId: installationOrgId, ...change })

describe('custody', () => {
  it('is that of the owner of the account', () => {
    expect(custodyOf({ orgId: installationOrgId })).toBe('pooled')
    expect(custodyOf({ orgId })).toBe('own')
  })

  it('binds the sealed keys to their account', () => {
    expect(sealContextOf('one')).toBe('provider account one')
  })
})

describe('the account that a configuration uses', () => {
  const used = (accounts: ProviderAccount[], accountId: string | null = null, ownerId = orgId): string => {
    const found = resolveAccount(accounts, { orgId: ownerId, provider: 'paystack', accountId })
    return 'account' in found ? found.account.accountId : found.reason
  }

  it('is the one that it names, if that is active', () => {
    const accounts = [accountOf('a'), accountOf('b'), accountOf('c', { status: 'retired' })]
    expect(used(accounts, 'b')).toBe('b')
    expect(used(accounts, 'c')).toBe('its account is retired')
    expect(used(accounts, 'd')).toBe('it names an account that does not exist')
    expect(used([accountOf('a', { provider: 'stripe' })], 'a')).toBe(
      'it names an account that does not exist',
    )
  })

  it('is its owner’s only active one at the provider', () => {
    expect(used([accountOf('a'), accountOf('b', { status: 'retired' }), pooled('p')])).toBe('a')
    expect(used([accountOf('a'), accountOf('b', { provider: 'stripe' })])).toBe('a')
    expect(used([accountOf('a'), accountOf('b'), pooled('p')])).toBe('it must name one of several accounts')
  })

  it('is the installation’s where the owner has none', () => {
    expect(used([pooled('p'), accountOf('b', { status: 'retired' })])).toBe('p')
    expect(used([pooled('p'), accountOf('x', { orgId: newId() })])).toBe('p')
    expect(used([accountOf('x', { orgId: newId() })])).toBe('it has no credentials')
    expect(used([pooled('p')], null, installationOrgId)).toBe('p')
    expect(used([accountOf('a')], null, installationOrgId)).toBe('it has no credentials')
    expect(used([])).toBe('it has no credentials')
  })

  it('is not replaced by another one while it is suspended: that may be another custody’s', () => {
    const suspended = accountOf('a', { isSuspended: true })
    expect(used([suspended, pooled('p')])).toBe('its account is suspended')
    expect(used([suspended], 'a')).toBe('its account is suspended')
  })
})

describe('"not found" at an account', () => {
  const windowMs = 60_000
  const at = (offsetMs: number): Date => new Date(now.getTime() + offsetMs)

  it('is final after the connector’s window while the keys are the ones that were sent with', () => {
    expect(notFoundWindow({ notFoundFinalAfterMs: windowMs, keysChangedAt: null }, now)).toBe(windowMs)
    expect(notFoundWindow({ notFoundFinalAfterMs: windowMs }, now)).toBe(windowMs)
    expect(notFoundWindow({ keysChangedAt: null }, now)).toBeUndefined()
    expect(notFoundWindow(undefined, now)).toBeUndefined()
  })

  it('is never final for what was sent before the keys were replaced, or within 15 seconds after', () => {
    const sentAt = (offsetMs: number): number | undefined =>
      notFoundWindow({ notFoundFinalAfterMs: windowMs, keysChangedAt: now }, at(offsetMs))
    expect([sentAt(-1), sentAt(0), sentAt(14_999)]).toEqual([undefined, undefined, undefined])
    expect(sentAt(15_000)).toBe(windowMs)
  })
})

describe('the address of a provider’s webhooks', () => {
  const key = ringOf(Buffer.alloc(32, 1))
  const accountId = newId()

  it('names its account, and is genuine for one provider and one key', () => {
    const token = webhookToken(key, accountId, 'paystack')
    expect(readWebhookToken(key, token, 'paystack')).toBe(accountId)
    expect(readWebhookToken(key, token, 'stripe')).toBeUndefined()
    expect(readWebhookToken(ringOf(Buffer.alloc(32, 2)), token, 'paystack')).toBeUndefined()
    expect(
      webhookUrlOf({ publicUrl: 'https://pay.test', webhookKey: key }, { accountId, provider: 'paystack' }),
    ).toBe(`https://pay.test/v1/providers/paystack/webhooks/${token}`)
  })

  it('carries a proof of 24 bytes: no shorter one is taken, and none with another bit', () => {
    const bytes = Buffer.from(webhookToken(key, accountId, 'paystack'), 'base64url')
    expect(bytes).toHaveLength(40)
    expect(bytes.subarray(16)).toEqual(hmac(key.current, `account ${accountId} paystack`).subarray(0, 24))
    const read = (changed: Buffer) => readWebhookToken(key, changed.toString('base64url'), 'paystack')
    expect(read(bytes.subarray(0, 39))).toBeUndefined()
    expect(read(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined()
    for (const index of bytes.keys()) {
      const flipped = Buffer.from(bytes)
      flipped[index] = (flipped[index] ?? 0) ^ 1
      expect(read(flipped)).toBeUndefined()
    }
    expect(read(Buffer.alloc(40, 0xff))).toBeUndefined()
  })
})

describe('a URL in credentials', () => {
  it.each<[unknown, string | undefined]>([
    [{ key: 'sk_1' }, undefined],
    [{ key: 'sk_1', url: 'https://evil.test' }, 'url'],
    [{ nested: { list: ['a', ' HTTP://evil.test'] } }, 'nested.list.1'],
    [{ key: 'say https://no' }, undefined],
    ['http://evil.test', ''],
    [null, undefined],
    [5, undefined],
    [{ a: null, b: 'https://x.test' }, 'b'],
  ])('is found wherever it stands: %j', (credentials, path) => {
    expect(pathOfUrl(credentials)).toBe(path)
  })
})
