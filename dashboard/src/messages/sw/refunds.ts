import type { Translated } from '../translated.ts'
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Translated<typeof english> = {
  title: 'Marejesho',
  amount: 'Kiasi',
  debit: 'Kutoka kwenye salio lako',
  status: 'Hali',
  statuses: { processing: 'Yanashughulikiwa', completed: 'Yamekamilika', failed: 'Yameshindikana' },
  origin: 'Yamefanyika',
  origins: { api: 'Hapa', provider: 'Kwa mtoa huduma' },
  reason: 'Sababu',
  provider: 'Mtoa huduma',
  currency: 'Sarafu',
  created: 'Tarehe ya kuundwa',
  empty: 'Bado hakuna marejesho',
  emptyText: 'Marejesho ya malipo yote huonekana hapa, pamoja na yaliyofanyika kwa mtoa huduma.',
}
