import type { RequestListener, ServerResponse } from 'node:http'
import { escapeHtml, htmlPage } from './html.ts'

export type CaughtMail = {
  message_id: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  received_at: string
}

/** The mails that the page shows and can delete. */
type MailStore = { messages(): CaughtMail[]; clear(): void }

// A caught mail is untrusted HTML: it must not run scripts or load anything.
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'"

export function mailListener(store: MailStore): RequestListener {
  return (request, response) => {
    const route = `${request.method} ${request.url?.split('?')[0]}`
    if (route === 'GET /') return sendPage(response, store.messages())
    if (route === 'GET /messages') return sendJson(response, 200, store.messages())
    if (route === 'DELETE /messages') {
      store.clear()
      response.writeHead(204).end()
      return
    }
    sendJson(response, 404, { error: 'not found: try GET /, GET /messages or DELETE /messages' })
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

function sendPage(response: ServerResponse, mails: CaughtMail[]): void {
  const body =
    mails.length > 0 ? mails.map(mailEntry).join('\n') : '<p>No mail yet. Reload to check again.</p>'
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy,
    'cache-control': 'no-store',
  })
  response.end(htmlPage('Caught mail', body))
}

function mailEntry({ from, to, subject, text, html, received_at }: CaughtMail): string {
  return `<details>
<summary>${escapeHtml(subject || '(no subject)')} <small>to ${escapeHtml(to.join(', '))} from ${escapeHtml(from)}, ${received_at}</small></summary>
${text ? `<pre>${escapeHtml(text)}</pre>` : ''}
${html ? `<iframe sandbox srcdoc="${escapeHtml(html)}" title="The HTML part"></iframe>` : ''}
</details>`
}
