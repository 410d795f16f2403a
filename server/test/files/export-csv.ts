import { request } from 'undici'
import { credentialHeaders, type TestApp } from '../app/test-app.ts'

/** The lines of a list that is exported as CSV, the header included. */
export async function exportCsv(t: TestApp, path: string, as: string): Promise<string[]> {
  const answer = await request(`${t.url}${path}`, {
    headers: { ...credentialHeaders(as), accept: 'text/csv' },
  })
  if (answer.statusCode !== 200) throw new Error(`the export failed: ${await answer.body.text()}`)
  return (await answer.body.text()).trimEnd().split('\r\n')
}
