import { credentialHeaders, type TestApp } from '../app/test-app.ts'
import { readTenantRows } from '../worlds/tenant-rows.ts'
import { collectRoutes, type RouteUnderTest } from './every-route.ts'

interface ReadAnswer {
  /** The route and what was asked for. */
  name: string
  status: number
  text: string
}

/** Everything that the members of an organisation can read, as JSON and as CSV, with the ids that exist by now. */
export async function openReader(
  t: TestApp,
  orgId: string,
): Promise<(as: string, onAnswer: (answer: ReadAnswer) => void) => Promise<void>> {
  const routes = (await collectRoutes(t)).filter(
    ({ method, access }) => method === 'GET' && access.permission !== 'public',
  )
  const rows = await readTenantRows(t.owner)
  const every = await rows.everyKey(orgId)
  /** Where no column has the name of a parameter, each of the organisation's ids is tried. */
  const pathsOf = async (route: RouteUnderTest): Promise<string[]> => {
    let paths = [route.path]
    for (const name of route.pathNames) {
      const found = name === 'org_id' ? orgId : await rows.find(orgId, name)
      const values = found === undefined ? every : [found]
      paths = paths.flatMap((path) =>
        values.map((value) => path.replace(`:${name}`, encodeURIComponent(value))),
      )
    }
    return paths
  }
  return async (as, onAnswer) => {
    const isAnswered = async (route: RouteUnderTest, path: string, accept: string): Promise<boolean> => {
      const answer = await fetch(`${t.url}${path}`, { headers: { ...credentialHeaders(as), accept } })
      onAnswer({ name: `${route.name} ${accept}`, status: answer.status, text: await answer.text() })
      return answer.status === 200
    }
    // Both answers come from the same handler, so what is refused or absent as JSON is not asked for as CSV.
    for (const route of routes)
      for (const path of await pathsOf(route))
        if (await isAnswered(route, path, 'application/json')) await isAnswered(route, path, 'text/csv')
  }
}
