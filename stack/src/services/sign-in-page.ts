import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { escapeHtml, htmlPage } from './html.ts'
import type { AccountDirectory } from './identity-accounts.ts'

export const signInPath = '/interaction/'

const maxBodyBytes = 10_000

/** Users sign in by picking an account: GET shows the list, POST signs in and redirects to the client. */
export async function serveSignIn(
  provider: Provider,
  accounts: AccountDirectory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== 'POST') {
      await provider.interactionDetails(request, response)
      return sendPage(response, 200, await accountList(accounts))
    }
    const accountId = new URLSearchParams(await readBody(request)).get('account') ?? ''
    if (!(await accounts.find(accountId))) return sendPage(response, 400, '<p>There is no such account.</p>')
    await provider.interactionFinished(request, response, { login: { accountId, amr: ['pwd'] } })
  } catch (error) {
    sendPage(response, 400, `<p>${escapeHtml(error instanceof Error ? error.message : String(error))}</p>`)
  }
}

async function accountList(accounts: AccountDirectory): Promise<string> {
  const buttons = (await accounts.list()).map(
    ({ user_id, email, org_id, description }) =>
      `<button name="account" value="${escapeHtml(user_id)}">${escapeHtml(email)} <small>${escapeHtml(description ?? org_id)}</small></button>`,
  )
  return buttons.length > 0
    ? `<form method="post">${buttons.join('\n')}</form>`
    : '<p>There is no account yet.</p>'
}

function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(htmlPage('Sign in to Switchyard (development)', body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new Error('the form is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
