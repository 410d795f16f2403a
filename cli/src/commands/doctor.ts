import type { Command } from 'commander'
import { diagnose } from '../doctor/checks.ts'
import { Refusal } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/print.ts'
import { chooseProfile } from '../profiles/choose-profile.ts'
import { withCommonOptions, type CommonOptions } from '../session.ts'

const checkWidth = 11

/** Reports what is wrong between this machine and the installation, and how to fix it. */
export function addDoctor(program: Command, io: Io): void {
  const doctor = program
    .command('doctor')
    .summary('diagnose problems with the address, TLS, clock, key, permissions and webhooks')
  withCommonOptions(doctor).action(async () => {
    const options = doctor.opts<CommonOptions>()
    const print = createPrinter(io, options.json === true)
    let problems = 0
    for await (const finding of diagnose(io, chooseProfile(io, options.profile))) {
      const { check, isGood, text } = finding
      if (!isGood) problems++
      const mark = isGood ? print.paint('green', '✓') : print.paint('red', '✗')
      print.line(`${mark} ${check.padEnd(checkWidth)}  ${text}`, { check, ok: isGood, text })
    }
    if (problems > 0) throw new Refusal(problems === 1 ? 'Found 1 problem.' : `Found ${problems} problems.`)
  })
}
