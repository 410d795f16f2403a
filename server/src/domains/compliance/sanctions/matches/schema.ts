import { z } from 'zod'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { wireAmount } from '../../../../lib/money/money.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import { entryKinds, matchSources } from '../record.ts'
import { countryLikenesses, dateLikenesses } from '../rules.ts'
import { heldLimit, type MatchDetails } from './describe-match.ts'
import type { ShownMatch } from './list-matches.ts'
import { matchStatuses, subjectKinds } from './record.ts'
import type { MatchFilters } from './store.ts'

export const matchParams = z.object({ match_id: uuid })
export const decisionBody = z.object({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .meta({ description: 'What you compared, for whoever asks later.' }),
})

export const listMatchesQuery = z.object({
  status: z.enum(matchStatuses).optional(),
  subject_kind: z.enum(subjectKinds).optional(),
  beneficiary_id: uuid.optional(),
  payment_id: uuid.optional().meta({ description: 'Matches of its payer.' }),
  org_id: uuid.optional().meta({ description: 'For the operator: one organisation instead of all.' }),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const toFilters = (query: z.infer<typeof listMatchesQuery>): Omit<MatchFilters, 'withKyb'> => ({
  status: query.status,
  subjectKind:
    query.subject_kind ?? (query.beneficiary_id ? 'beneficiary' : query.payment_id ? 'payer' : undefined),
  subjectId: query.beneficiary_id ?? query.payment_id,
  orgId: query.org_id,
})

const sanctionsMatch = z
  .object({
    match_id: uuid,
    org_id: uuid,
    subject_kind: z.enum(subjectKinds),
    beneficiary_id: uuid.nullable(),
    payment_id: uuid.nullable().meta({ description: 'The payment whose payer it is.' }),
    exception_id: uuid
      .nullable()
      .meta({ description: 'The exception about the deposit whose sender it is.' }),
    person: z.object({
      name: z.string().nullable().meta({ description: 'Null once the person was erased.' }),
      date_of_birth: z.string().nullable(),
      country: z.string().nullable(),
    }),
    score: z.number().meta({ description: 'From 0 to 1. See docs/sanctions.md.' }),
    source: z.enum(matchSources).meta({
      description:
        '`yente`: the server that is asked. `script`: the name is in a script that cannot be compared, so people decide.',
    }),
    list_version_id: uuid,
    entry: z.object({
      entry_id: z.string(),
      kind: z.enum(entryKinds),
      names: z.array(z.string()),
      birth_dates: z.array(z.string()),
      countries: z.array(z.string()),
      programmes: z.array(z.string()),
    }),
    status: z.enum(matchStatuses),
    reason: z.string().nullable(),
    decided_by: z.string().nullable(),
    decided_at: dateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ScreeningMatch' })

const heldPayment = z.object({
  payment_id: uuid,
  amount: wireDecimal,
  currency: z.string(),
  client_reference: z.string().nullable(),
  created_at: dateTime,
})

const matchDetails = sanctionsMatch
  .extend({
    comparison: z.object({
      closest_name: z.string().meta({ description: 'The name of the entry that is most like the person’s.' }),
      is_alias: z.boolean().meta({ description: 'Whether that is not the first name of the entry.' }),
      date_of_birth: z.enum(dateLikenesses).meta({ description: '`near` is up to two years apart.' }),
      country: z.enum(countryLikenesses),
    }),
    held_payments: z
      .array(heldPayment)
      .meta({ description: `What waits for the decision, the oldest first, at most ${heldLimit}.` }),
    clearance_request_id: uuid
      .nullable()
      .meta({ description: 'The change request of whoever has asked to clear it, while it is pending.' }),
  })
  .meta({ id: 'ScreeningMatchDetails' })

export const matchResponse = success(sanctionsMatch)
export const matchDetailsResponse = success(matchDetails)
export const matchPage = success(z.array(sanctionsMatch)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toMatchView = (match: ShownMatch): z.input<typeof sanctionsMatch> => ({
  match_id: match.matchId,
  org_id: match.orgId,
  subject_kind: match.subjectKind,
  beneficiary_id: match.subjectKind === 'beneficiary' ? match.subjectId : null,
  payment_id: match.subjectKind === 'payer' ? match.subjectId : null,
  exception_id: match.subjectKind === 'depositor' ? match.subjectId : null,
  person: {
    name: match.person?.name ?? null,
    date_of_birth: match.person?.dateOfBirth ?? null,
    country: match.person?.country ?? null,
  },
  score: match.score,
  source: match.source,
  list_version_id: match.versionId,
  entry: {
    entry_id: match.entry.entryId,
    kind: match.entry.kind,
    names: [...match.entry.names],
    birth_dates: [...match.entry.birthDates],
    countries: [...match.entry.countries],
    programmes: [...match.entry.programmes],
  },
  status: match.status,
  reason: match.reason,
  decided_by: match.decidedBy,
  decided_at: match.decidedAt?.toISOString() ?? null,
  created_at: match.createdAt.toISOString(),
  updated_at: match.updatedAt.toISOString(),
})

export const toMatchPage = (page: Page<ShownMatch>): z.input<typeof matchPage> => ({
  ...ok('Possible matches with sanctions lists, newest first.', page.items.map(toMatchView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

export const toMatchDetails = (match: MatchDetails): z.input<typeof matchDetails> => ({
  ...toMatchView(match),
  comparison: {
    closest_name: match.comparison.closestName,
    is_alias: match.comparison.isAlias,
    date_of_birth: match.comparison.dateOfBirth,
    country: match.comparison.country,
  },
  held_payments: match.heldPayments.map((payment) => ({
    payment_id: payment.paymentId,
    amount: wireAmount(payment.amount.amountMinor, payment.amount.currency),
    currency: payment.amount.currency,
    client_reference: payment.clientReference,
    created_at: payment.createdAt.toISOString(),
  })),
  clearance_request_id: match.clearanceRequestId,
})
