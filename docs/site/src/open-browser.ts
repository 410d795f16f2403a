import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium of this machine, or the one that `CHROMIUM_PATH` names. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? places.find((place) => existsSync(place))
  if (executablePath === undefined)
    throw new Error(`no browser found (${places.join(', ')}; or set CHROMIUM_PATH)`)
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
