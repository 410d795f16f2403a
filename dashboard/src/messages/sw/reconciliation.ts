import type { Translated } from '../translated.ts'
import type { reconciliation as english } from '../en/reconciliation.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('sw')

export const reconciliation: Translated<typeof english> = {
  title: 'Ulinganishaji wa hesabu',
  provider: 'Mtoa huduma',
  status: 'Hali',
  statuses: { completed: 'Umekamilika', failed: 'Umeshindikana' },
  origin: 'Uendeshaji',
  origins: { nightly: 'Wa kila usiku', requested: 'Umeombwa na' },
  since: 'Tangu',
  checked: 'Yaliyolinganishwa',
  findings: 'Tofauti',
  finished: 'Ulikamilika',
  empty: 'Bado hakuna ulinganishaji',
  emptyText: 'Kila usiku malipo yetu hulinganishwa na orodha za watoa huduma waliotumika.',
  run: {
    button: 'Linganisha sasa',
    title: 'Linganisha na mtoa huduma sasa',
    text: 'Tofauti huwa kasoro. Hakuna kilicholipwa kinachotumwa tena.',
    since: 'Malipo tangu',
  },
  result: 'Matokeo ya ulinganishaji',
  none: (count: number) =>
    plural(count, {
      one: 'Malipo # yamelinganishwa, hakuna tofauti iliyopatikana.',
      other: 'Malipo # yamelinganishwa, hakuna tofauti iliyopatikana.',
    }),
  kind: 'Tofauti',
  reference: 'Kumbukumbu',
  summary: 'Kilichobainika',
  openExceptions: 'Kasoro zilizo wazi',
}
