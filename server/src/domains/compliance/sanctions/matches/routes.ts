import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../../people/change-requests/schema.ts'
import { clearMatch } from './clear-match.ts'
import { confirmMatch } from './confirm-match.ts'
import { describeMatch } from './describe-match.ts'
import { listMatches } from './list-matches.ts'
import type { MatchDeps } from './record.ts'
import * as schema from './schema.ts'

const tags = ['Screening']

export function sanctionsMatchRoutes(app: App, deps: MatchDeps): void {
  app.get(
    '/v1/screening/matches',
    {
      config: { access: { permission: 'screening:read' } },
      schema: {
        tags,
        operationId: 'screening.listMatches',
        summary: 'List possible matches with sanctions lists',
        description:
          'What waits for people: nothing is sent to or for somebody with an open match. The operator sees every organisation, and alone those about the people behind one.',
        querystring: schema.listMatchesQuery,
        response: { 200: schema.matchPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      schema.toMatchPage(
        await listMatches(deps, caller, {
          filters: schema.toFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/screening/matches/:match_id',
    {
      config: { access: { permission: 'screening:read' } },
      schema: {
        tags,
        operationId: 'screening.getMatch',
        summary: 'Get a possible match',
        description:
          'The person and the entry of the list, why they are alike, what waits for the decision, and whether somebody has asked to clear it.',
        params: schema.matchParams,
        response: { 200: schema.matchDetailsResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Possible match.',
        schema.toMatchDetails(await describeMatch(deps, caller, { matchId: params.match_id })),
      ),
  )
  matchDecisions(app, deps)
}

function matchDecisions(app: App, deps: MatchDeps): void {
  app.post(
    '/v1/screening/matches/:match_id/clear',
    {
      config: { access: { permission: 'screening:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'screening.clearMatch',
        summary: 'Clear a possible match: it is somebody else',
        description:
          'Answers 202 with a change request, which an operator who did not ask for it has to approve; the only operator of an installation clears at once. What waits goes on by itself, and the person is not matched with this entry again unless the entry changes.',
        params: schema.matchParams,
        body: schema.decisionBody,
        response: { 200: schema.matchResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const outcome = await clearMatch(deps, caller, { matchId: params.match_id, reason: body.reason })
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      return reply.send(ok('The match is cleared.', schema.toMatchView(outcome.done)))
    },
  )
  app.post(
    '/v1/screening/matches/:match_id/confirm',
    {
      config: {
        access: { permission: 'screening:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'screening.confirmMatch',
        summary: 'Confirm a match: it is the person on the list',
        description:
          'In force at once. Payments that waited fail with `SANCTIONS_MATCH`, and new ones are refused with it.',
        params: schema.matchParams,
        body: schema.decisionBody,
        response: { 200: schema.matchResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'The match is confirmed.',
        schema.toMatchView(
          await confirmMatch(deps, caller, { matchId: params.match_id, reason: body.reason }),
        ),
      ),
  )
}
