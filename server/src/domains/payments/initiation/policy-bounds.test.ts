import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { RoutableConfig } from '../../providers/configs/record.ts'
import type { PublishedPolicy } from '../../routing/policies/record.ts'
import { accountOf, anyDocument, anySignals, providers } from '../../routing/policies/testing/any-policy.ts'
import { createRoutingMemory } from '../../routing/policies/track-routing.ts'
import type { Signal } from '../../routing/signals/record.ts'
import { considerRoutes, type RouteRequest, type RoutingDeps } from './choose-route.ts'

const orgId = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
const anyRange = fc.record({
  minAmount: fc.option(fc.integer({ min: 0, max: 500 }).map(String)),
  maxAmount: fc.option(fc.integer({ min: 500, max: 1_000 }).map(String)),
})

const anyConfig = (index: number): fc.Arbitrary<RoutableConfig> =>
  fc
    .record({
      range: anyRange,
      custody: fc.constantFrom('pooled' as const, 'own' as const),
      bounds: fc.option(fc.array(anyRange, { maxLength: 2 }), { nil: undefined }),
      hasAccount: fc.boolean(),
    })
    .map(({ range, custody, bounds, hasAccount }) => ({
      ...range,
      orgId,
      configId: `config ${index}`,
      provider: providers[index % providers.length] ?? 'stripe',
      country: 'NG',
      paymentMethod: 'card',
      direction: 'inbound',
      accountId: null,
      priority: index,
      isActive: true,
      description: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      carrier: hasAccount ? { accountId: accountOf(index), custody } : undefined,
      reason: hasAccount ? undefined : 'it has no account',
      operatorBounds: custody === 'pooled' ? bounds : undefined,
    }))

const anyConfigs = fc
  .integer({ min: 0, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => anyConfig(index))))

const connector = {
  capabilities: (['payin', 'payout'] as const).map((direction) => ({
    direction,
    method: 'card',
    countries: ['NG'],
    currencies: ['NGN'],
  })),
  hasCardPage: true,
} as unknown as Connector // routing reads nothing else of it

const requestOf = (direction: 'payin' | 'payout', amountMinor: bigint): RouteRequest => {
  const amount = { amountMinor, currency: 'NGN' }
  return {
    orgId,
    source: amount,
    attempt: {
      reference: '',
      providerRef: null,
      direction,
      method: 'card',
      country: 'NG',
      amount,
      createdAt: new Date('2026-03-01T12:00:00Z'),
    },
    details: { payer: {}, returnUrl: 'https://shop.example/back' },
    networkCodes: undefined,
    facts: { seed: 'order 1', cardBrand: 'visa', issuerCountry: 'NG', network: null, metadata: null },
  }
}

interface World {
  configs: RoutableConfig[]
  policy: PublishedPolicy | undefined
  unhealthy: ReadonlySet<string>
  signals: ReadonlyMap<string, Signal>
}

const depsOf = ({ configs, policy, unhealthy, signals }: World): RoutingDeps => ({
  connectors: { load: () => Promise.resolve(connector) } as unknown as RoutingDeps['connectors'], // routing only loads
  corridors: {
    list: () => Promise.resolve(configs),
    inbound: () => Promise.resolve([]),
    ofMethod: () => Promise.resolve([]),
    invalidate: () => undefined,
  },
  breakers: {
    isUnhealthy: (corridor) => unhealthy.has(corridor.split(' ')[0] ?? ''),
    record: () => undefined,
  },
  routingPolicies: { published: () => Promise.resolve(policy), invalidate: () => undefined },
  routingSignals: {
    read: (_orgId, { accountId }) => signals.get(accountId),
    isInMaintenance: () => false,
    explorationsOn: () => 0,
  },
  routingMemory: createRoutingMemory(),
})

describe('whatever the policy says', () => {
  it('the candidates are those without a policy, and each of them is within the bounds and of one custody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          configs: anyConfigs,
          document: anyDocument,
          signals: anySignals,
          unhealthy: fc.uniqueArray(fc.integer({ min: 0, max: 7 }).map(accountOf)),
          direction: fc.constantFrom('payin' as const, 'payout' as const),
          amount: fc.bigInt({ min: 1n, max: 120_000n }),
        }),
        async ({ configs, document, signals, unhealthy, direction, amount }) => {
          const world = { configs, signals, unhealthy: new Set(unhealthy) }
          const policy = { owner: 'organization', version: 1, document } as const
          const request = requestOf(direction, amount)
          const plain = await considerRoutes(depsOf({ ...world, policy: undefined }), request)
          const ordered = await considerRoutes(depsOf({ ...world, policy }), request)
          const idsOf = ({ routing }: typeof plain): string[] =>
            routing.candidates.map(({ configId }) => configId)
          expect(idsOf(ordered).toSorted()).toEqual(idsOf(plain).toSorted())
          expect(ordered.refusal?.code).toBe(plain.refusal?.code)
          expect(ordered.routing.decision).toBeDefined()
          expect(plain.routing.decision).toBeUndefined()
          const reasons = ({ routing }: typeof plain): string[] =>
            routing.considered.map(({ reason }) => reason)
          expect(reasons(ordered)).toEqual(reasons(plain))
          if (direction === 'payout')
            expect(new Set(ordered.routing.candidates.map(({ custody }) => custody)).size).toBeLessThan(2)
        },
      ),
      { numRuns: 500 },
    )
  })
})
