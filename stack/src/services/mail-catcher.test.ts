import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listeningHosts } from '../testing/listening-hosts.ts'
import { startMailCatcher, type MailCatcher } from './mail-catcher.ts'
import type { CaughtMail } from './mail-page.ts'
import { freePort, loopback } from './ports.ts'

let port: number
let webPort: number
let catcher: MailCatcher

beforeAll(async () => {
  port = await freePort()
  webPort = await freePort()
  catcher = await startMailCatcher({ port, webPort })
})

beforeEach(() => catcher.clear())

afterAll(() => catcher.stop())

/** Speaks SMTP directly, so that the test does not depend on a mail library. */
async function sendMail(subject: string, recipients = ['bob@example.com']): Promise<void> {
  const socket = createConnection(port, loopback)
  const replies = createInterface(socket)[Symbol.asyncIterator]()
  const mail = [
    'Message-ID: <one@example.com>',
    'From: Switchyard <pay@example.com>',
    'To: Bob <bob@example.com>',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'You were paid.',
    '--cut',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>You were <b>paid</b>.</p><script>alert(1)</script>',
    '--cut--',
  ]
  const commands = [
    'HELO test',
    'MAIL FROM:<pay@example.com>',
    ...recipients.map((address) => `RCPT TO:<${address}>`),
    'DATA',
    `${mail.join('\r\n')}\r\n.`,
    'QUIT',
  ]
  for (const command of commands) {
    expect((await replies.next()).value).toMatch(/^[23]/)
    socket.write(`${command}\r\n`)
  }
  await once(socket, 'close')
}

async function listed(): Promise<CaughtMail[]> {
  return (await (await fetch(`${catcher.webUrl}/messages`)).json()) as CaughtMail[]
}

test('a mail is caught with both of its parts and all of its recipients', async () => {
  await sendMail('Paid', ['bob@example.com', 'blind@example.com'])
  expect(await listed()).toEqual([
    {
      message_id: '<one@example.com>',
      from: 'pay@example.com',
      to: ['bob@example.com', 'blind@example.com'],
      subject: 'Paid',
      text: expect.stringContaining('You were paid.'),
      html: expect.stringContaining('<b>paid</b>'),
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ])
  expect(catcher.messages()).toEqual(await listed())
})

test('the newest mail comes first', async () => {
  await sendMail('first')
  await sendMail('second')
  expect(catcher.messages().map(({ subject }) => subject)).toEqual(['second', 'first'])
})

test('DELETE /messages deletes all mail', async () => {
  await sendMail('gone')
  const response = await fetch(`${catcher.webUrl}/messages`, { method: 'DELETE' })
  expect(response.status).toBe(204)
  expect(await listed()).toEqual([])
})

test('the page shows the HTML part only inside a sandbox', async () => {
  await sendMail('<img src=x>')
  const response = await fetch(catcher.webUrl)
  const page = await response.text()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page).toContain('<iframe sandbox srcdoc="')
  expect(page).toContain('You were paid.')
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('<img')
})

test('an unknown path is not found', async () => {
  expect((await fetch(`${catcher.webUrl}/nothing`)).status).toBe(404)
})

test.runIf(process.platform === 'linux')('both ports listen on loopback only', async () => {
  expect(await Promise.all([port, webPort].map(listeningHosts))).toEqual([['127.0.0.1'], ['127.0.0.1']])
})

test('after a stop it starts again on the same ports', async () => {
  await catcher.stop()
  await expect(fetch(catcher.webUrl)).rejects.toThrow('fetch failed')
  catcher = await startMailCatcher({ port, webPort })
  await sendMail('again')
  expect(catcher.messages()).toHaveLength(1)
})
