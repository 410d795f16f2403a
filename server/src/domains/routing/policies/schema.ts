import { z } from 'zod'
import { connectorNames } from '../../../connectors/registry.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { isFiat, parseMinor } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { countryCode, dateTime, ok, shortText, success, userId, uuid } from '../../../lib/requests/wire.ts'
import type { PolicyChange } from './compare-documents.ts'
import { describeRule, describeStrategy } from './describe-policy.ts'
import { adjustableDeclines, type PolicyDocument, type PolicyVersion, type RouteName } from './record.ts'
import { labelOf } from './rules.ts'

const limits = { rules: 100, values: 250, routes: 50, costs: 200, metadataKeys: 20, percent: 100, text: 200 }
const amountLimit = 1e15

/** Lists are stored sorted and without repetitions, so that two versions differ only if their meaning does. */
const listOf = <Value extends z.ZodType<string>>(value: Value) =>
  z
    .array(value)
    .min(1)
    .max(limits.values)
    .overwrite((values) => [...new Set(values)].toSorted())

const text = z.string().trim().min(1).max(limits.text)
const methods = z.enum(['bank_transfer', 'card', 'mobile_money'])
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })
const amount = z.number().nonnegative().lt(amountLimit)
const percent = z.number().min(0).max(limits.percent)
const directions = z.enum(['payin', 'payout'])

const routeFields = {
  provider: z.enum(connectorNames).optional(),
  account: uuid.optional(),
}
const namesOne = ({ provider, account }: RouteName): boolean =>
  (provider === undefined) !== (account === undefined)
const oneName = { path: ['provider'], message: 'must be given if account is not, and only then' }
const routeName = z.strictObject(routeFields).refine(namesOne, oneName)

const areDistinct = (names: readonly RouteName[]): boolean =>
  new Set(names.map(labelOf)).size === names.length
const order = z
  .array(routeName)
  .max(limits.routes)
  .refine(areDistinct, 'names an account twice')
  .optional()
  .meta({
    description:
      'Preferred among those that the strategy does not tell apart; the others follow by the priority of their configurations.',
  })

const fits = (value: number | undefined, code: string | undefined): boolean =>
  value === undefined || (code !== undefined && isFiat(code) && parseMinor(String(value), code) !== undefined)

const amountRange = z
  .strictObject({ currency, min: amount.optional(), max: amount.optional() })
  .refine((range) => fits(range.min, range.currency) && fits(range.max, range.currency), {
    message: 'has more decimals than the currency',
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    path: ['min'],
    message: 'exceeds max',
  })

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
  .meta({ example: '22:00' })
const timeOfDay = z
  .strictObject({
    from: time,
    to: time,
    zone: z.string().max(100).refine(isZone, 'must be an IANA time zone').meta({ example: 'Africa/Lagos' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from from' })

const metadataValue = z.union([text, z.number(), z.boolean()])
const metadata = z
  .record(
    z.string().min(1).max(100),
    z.union([metadataValue, z.array(metadataValue).min(1).max(limits.values)]),
  )
  .refine((keys) => Object.keys(keys).length <= limits.metadataKeys, 'has too many keys')

const conditions = z.strictObject({
  direction: directions.optional(),
  method: listOf(methods).optional(),
  country: listOf(countryCode).optional(),
  currency: listOf(currency).optional(),
  amount: amountRange.optional(),
  card_brand: listOf(text.toLowerCase()).optional(),
  issuer_country: listOf(countryCode).optional(),
  network: listOf(text.toUpperCase()).optional(),
  customer_type: listOf(text).optional().meta({ description: 'Of metadata.customer_type.' }),
  metadata: metadata.optional(),
  time_of_day: timeOfDay.optional(),
})

const share = z.strictObject({ ...routeFields, percent }).refine(namesOne, oneName)
const roundingError = 1e-9
const isWhole = (shares: readonly { percent: number }[]): boolean =>
  Math.abs(shares.reduce((sum, one) => sum + one.percent, 0) - limits.percent) < roundingError

const strategy = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('priority'), order }),
    z.strictObject({
      type: z.literal('split'),
      shares: z
        .array(share)
        .min(1)
        .max(limits.routes)
        .refine(areDistinct, 'names an account twice')
        .refine(isWhole, 'must sum up to 100'),
      order,
    }),
    z.strictObject({ type: z.literal('cost'), order }),
    z.strictObject({
      type: z.literal('success_rate'),
      exploration_percent: z.number().min(0).max(20),
      daily_limit: z.int().min(0).max(100_000).meta({
        description:
          'How many payments a day the organisation spends at most on learning about other accounts.',
      }),
      hysteresis_percent: z.number().min(0).max(50).meta({
        description: 'How many percentage points another account has to be better by to take the lead.',
      }),
      order,
    }),
  ])
  .meta({ id: 'RoutingStrategy' })

const rule = z.strictObject({ name: shortText, when: conditions, strategy }).meta({ id: 'RoutingRule' })

const costTerms = z
  .strictObject({
    ...routeFields,
    direction: directions.optional(),
    method: listOf(methods).optional(),
    country: listOf(countryCode).optional(),
    currency: currency.optional(),
    percent,
    fixed: amount.optional(),
    minimum: amount.optional(),
    maximum: amount.optional(),
  })
  .refine(namesOne, oneName)
  .refine(
    ({ currency: code, fixed, minimum, maximum }) =>
      fits(fixed, code) && fits(minimum, code) && fits(maximum, code),
    { path: ['currency'], message: 'is required for amounts, which must have no more decimals than it has' },
  )

export const policyDocument = z
  .strictObject({
    rules: z
      .array(rule)
      .max(limits.rules)
      .refine(
        (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
        'has two rules of the same name',
      ),
    otherwise: strategy,
    costs: z.array(costTerms).max(limits.costs).optional().meta({
      description: 'What providers charge by contract, for the strategy `cost`. The first that fits applies.',
    }),
    fallback: z
      .partialRecord(z.enum(adjustableDeclines), z.enum(['next', 'later', 'stop']))
      .optional()
      .meta({
        description:
          'After a decline with this code: ask the next provider, ask the same one again later, or stop. Codes that are not listed are handled as the connector suggests.',
      }),
  })
  .meta({ id: 'RoutingPolicy' })

const orgOf = {
  org_id: uuid.nullish().meta({
    description: 'For the operator: another organisation; by default, or with null, the installation.',
  }),
}
export const draftBody = z.object({ ...orgOf, document: policyDocument, note: text.nullish() })
export const decideBody = z.object(orgOf).nullish()
const scope = z
  .union([uuid, z.literal('installation')])
  .optional()
  .meta({
    description:
      'The operator may name another organisation. Everybody can read the policy of the `installation`.',
  })
export const listQuery = z.object({
  org_id: scope,
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})
export const versionQuery = z.object({ org_id: scope })
export const diffQuery = z.object({
  org_id: scope,
  against: z.coerce.number().int().positive().optional().meta({
    description: 'The version to compare with; by default the published one.',
  }),
})
export const versionParams = z.object({
  version: z.coerce
    .number()
    .int()
    .positive()
    .max(2 ** 31 - 1),
})

const versionFields = {
  org_id: uuid.nullable().meta({ description: 'Null: the policy of the installation.' }),
  version: z.int(),
  state: z.enum(['draft', 'published', 'superseded', 'discarded']),
  note: z.string().nullable(),
  restores: z.int().nullable().meta({ description: 'The version that a rollback has published again.' }),
  created_by: userId,
  created_at: dateTime,
  published_by: userId.nullable(),
  published_at: dateTime.nullable(),
}
const versionSummary = z.object(versionFields).meta({ id: 'RoutingPolicySummary' })
const version = z
  .object({
    ...versionFields,
    document: policyDocument,
    sentences: z
      .array(z.string())
      .meta({ description: 'The rules in words, the last one for all the rest.' }),
  })
  .meta({ id: 'RoutingPolicyVersion' })

export const versionResponse = success(version)
export const versionPage = success(z.array(versionSummary)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const diffResponse = success(
  z.object({
    version: z.int(),
    against: z.int().nullable().meta({ description: 'Null: nothing is published yet.' }),
    changes: z.array(
      z.object({
        path: z.string().meta({ example: 'rules/Cards in Nigeria' }),
        change: z.enum(['added', 'removed', 'changed', 'moved']),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
  }),
)

const toSummary = (row: PolicyVersion): z.input<typeof versionSummary> => ({
  org_id: row.orgId === installationOrgId ? null : row.orgId,
  version: row.version,
  state: row.state,
  note: row.note,
  restores: row.restores,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  published_by: row.publishedBy,
  published_at: row.publishedAt?.toISOString() ?? null,
})

export const toVersion = (row: PolicyVersion): z.input<typeof version> => ({
  ...toSummary(row),
  document: row.document as z.input<typeof policyDocument>, // this schema has parsed it before it was stored
  sentences: sentencesOf(row.document),
})

const sentencesOf = ({ rules, otherwise }: PolicyDocument): string[] => [
  ...rules.map(describeRule),
  `${rules.length === 0 ? 'Every payment' : 'All other payments'}: ${describeStrategy(otherwise)}.`,
]

export const toVersionPage = (page: Page<PolicyVersion>): z.input<typeof versionPage> => ({
  ...ok('Versions of the routing policy, newest first.', page.items.map(toSummary)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

export const toDiff = (diff: {
  version: number
  against: number | null
  changes: PolicyChange[]
}): z.input<typeof diffResponse> =>
  ok(diff.changes.length === 0 ? 'The two versions say the same.' : 'What differs.', diff)
