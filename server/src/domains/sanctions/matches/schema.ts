import { z } from 'zod'
import { pageLimit, type Page } from '../../../lib/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/wire.ts'
import { entryKinds, listSources } from '../record.ts'
import type { ShownMatch } from './list-matches.ts'
import { matchStatuses, subjectKinds } from './record.ts'

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
  org_id: uuid.optional().meta({ description: 'For the operator: one organisation instead of all.' }),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const sanctionsMatch = z
  .object({
    match_id: uuid,
    org_id: uuid,
    subject_kind: z.enum(subjectKinds),
    beneficiary_id: uuid.nullable(),
    payment_id: uuid.nullable().meta({ description: 'The payment whose payer it is.' }),
    person: z.object({
      name: z.string(),
      date_of_birth: z.string().nullable(),
      country: z.string().nullable(),
    }),
    score: z.number().meta({ description: 'From 0 to 1. See docs/sanctions.md.' }),
    source: z.enum(listSources),
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

export const matchResponse = success(sanctionsMatch)
export const matchPage = success(z.array(sanctionsMatch)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toMatchView = (match: ShownMatch): z.input<typeof sanctionsMatch> => ({
  match_id: match.matchId,
  org_id: match.orgId,
  subject_kind: match.subjectKind,
  beneficiary_id: match.subjectKind === 'beneficiary' ? match.subjectId : null,
  payment_id: match.subjectKind === 'payer' ? match.subjectId : null,
  person: {
    name: match.person.name,
    date_of_birth: match.person.dateOfBirth ?? null,
    country: match.person.country ?? null,
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
