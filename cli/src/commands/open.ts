import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { completeId } from '../call/complete-id.ts'
import { openSession, withCommonOptions } from '../session.ts'

/** Opens the dashboard in the browser and prints its address. */
export function addOpen(program: Command, io: Io): void {
  const open = program
    .command('open')
    .argument('[payment-id]', 'an id, or the start of one')
    .summary('open the dashboard, or a payment in it')
  withCommonOptions(open).action(async (id: string | undefined) => {
    const session = openSession(io, open.opts())
    const dashboard = session.profile.dashboard ?? `${session.profile.base_url}/dashboard`
    const parameter = { name: 'payment_id', lookup: 'transactions.list' }
    const page =
      id === undefined
        ? ''
        : `/payments/${encodeURIComponent(await completeId(session, parameter, id, undefined))}`
    const url = `${dashboard}${page}`
    io.out(url)
    if (io.isTerminal)
      spawn(opener(), [url], { stdio: 'ignore', detached: true })
        .on('error', () => undefined)
        .unref()
  })
}

const opener = (): string => (process.platform === 'darwin' ? 'open' : 'xdg-open')
