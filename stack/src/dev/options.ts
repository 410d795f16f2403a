import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryDir } from '../repository-dir.ts'

export type DevOptions = { ports: 'default' | 'random'; dataDir: string; help: boolean }

export const helpText = `npm run dev [-- options]

Starts Switchyard with everything it needs: PostgreSQL 18, Restate, an identity provider, a mail catcher, an EVM
chain, and a simulator that plays the payment providers. The first start fills it with examples.
When it is ready, DIR/dev.json holds every address, key and token; the file is removed when it stops.

  --ports default|random   random: free ports, the same ones again for the same DIR   (default: default)
  --data-dir DIR           where data is kept between starts                          (default: .switchyard)
  --help                   this text
`

export function parseOptions(args: string[]): DevOptions {
  const { values } = parseArgs({
    args,
    options: {
      ports: { type: 'string', default: 'default' },
      'data-dir': { type: 'string', default: join(repositoryDir, '.switchyard') },
      help: { type: 'boolean', default: false },
    },
  })
  const { ports, help } = values
  if (ports !== 'default' && ports !== 'random') throw new Error(`--ports is default or random, not ${ports}`)
  return { ports, dataDir: resolve(values['data-dir']), help }
}
