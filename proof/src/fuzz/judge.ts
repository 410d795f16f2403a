import { exampleId } from '@switchyard/server/lib/requests/wire.ts'
import type { Answer } from '@switchyard/server/test/contract/openapi-check.ts'
import type { Ids } from './ids.ts'
import { canaryOf, type Actor, type Request } from './request.ts'
import type { Route } from './routes.ts'

export type Reply = {
  readonly status: number
  readonly text: string
  readonly contentType: string
  readonly body: unknown
}

/** Internal terms that no caller should see. */
const innards =
  /\bat (?:async )?[\w.<>]+ \(|file:\/\/\/|node_modules|node:internal|\.ts:\d+|violates|duplicate key value|relation "|syntax error at|invalid input syntax|ECONN|ZodError|TypeError|RangeError|is not a function|Cannot read prop/

export type Judge = (asked: { route: Route; actor: Actor; request: Request; reply: Reply }) => string[]

/** Returns what is wrong with an answer, whatever the request was. */
export function createJudge(
  check: (method: string, path: string, answer: Answer) => void,
  { ids, orgs }: { ids: Ids; orgs: readonly string[] },
): Judge {
  return ({ route, actor, request, reply }) => {
    const problems: string[] = []
    const asked = JSON.stringify(request)
    const { status, text } = reply
    if (status >= 500 && !isDocumentedFailure(route, reply)) problems.push(`answered ${status}`)
    const inside = innards.exec(text)
    if (inside && !asked.includes(inside[0])) problems.push(`shows its inside: ${inside[0]}`)
    try {
      check(request.method, request.path.split('?')[0] ?? '', {
        status,
        body: reply.body,
        contentType: reply.contentType,
      })
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
    if (actor.org === 'platform') return problems
    for (const org of orgs)
      if (org !== actor.org && text.includes(canaryOf(org)) && !asked.includes(canaryOf(org)))
        problems.push(`shows text of ${org}`)
    for (const id of ids.strangersIn(actor.org, text))
      if (id !== exampleId) problems.push(`${strangerProblem} ${id}`)
    return problems
  }
}

/** Only a suspicion: members and the installation's own records are visible to several organisations. */
export const strangerProblem = 'shows an id that another organisation was shown first:'

/** Every provider failed. */
const isDocumentedFailure = (route: Route, { status, body }: Reply): boolean =>
  status === 502 &&
  route.statuses.has('502') &&
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  body.code === 'ALL_PROVIDERS_FAILED'
