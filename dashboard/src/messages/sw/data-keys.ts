import type { Translated } from '../translated.ts'
import type { dataKeys as english } from '../en/data-keys.ts'

export const dataKeys: Translated<typeof english> = {
  title: 'Ufunguo wa data',
  text: 'Majina, namba na data nyingine binafsi za shirika lako zimesimbwa kwa ufunguo wake lenyewe. Ufunguo ukifanywa upya, data mpya hutumia ufunguo mpya mara moja, na data ya zamani husimbwa tena chinichini. Hakuna kingine kinachobadilika.',
  rotate: 'Fanya ufunguo upya',
  confirmTitle: 'Ungependa kufanya ufunguo wa data upya?',
  confirmText:
    'API inaendelea kufanya kazi, na hakuna jibu linalobadilika. Rekodi ya ukaguzi huandika tendo hili.',
  submit: 'Fanya upya',
  done: 'Data mpya inasimbwa kwa ufunguo mpya.',
  current: 'Ufunguo mpya',
}
