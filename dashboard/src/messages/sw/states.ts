import type { Translated } from '../translated.ts'
import type { states as english } from '../en/states.ts'

/** What every screen can say: loading, empty, refused, failed. */
export const states: Translated<typeof english> = {
  loading: 'Inapakia',
  tryAgain: 'Jaribu tena',
  failed: 'Haikuweza kupakiwa.',
  offline: 'Seva haikuweza kufikiwa. Angalia muunganisho wako.',
  requestId: 'Kitambulisho cha ombi',
  copy: 'Nakili',
  copied: 'Imenakiliwa',
  cancel: 'Ghairi',
  you: 'wewe',
  outcomeUnknown:
    'Muunganisho ulikatika, na haijulikani kama hili lilitekelezwa. Angalia kabla ya kurudia; ukirudia kutoka hapa litatekelezwa mara moja tu.',
  startOver: 'Anza upya',
  filters: 'Vichujio',
  any: 'Yoyote',
  clear: 'Futa vichujio',
  moreFilters: 'Vichujio zaidi',
  fewerFilters: 'Vichujio vichache',
  noMatch: 'Hakuna kinacholingana na vichujio hivi',
  noMatchText: 'Badilisha au futa vichujio ili kuona zaidi.',
  next: 'Za zamani zaidi',
  first: 'Mpya kabisa',
  times: 'Saa za',
  export: 'Hamisha CSV',
  exporting: 'Inahamisha…',
  forbidden: 'Huruhusiwi kuona hili.',
  forbiddenHint: 'Mwombe msimamizi wa shirika lako ruhusa',
  notFound: 'Hakuna ukurasa kama huo.',
  backHome: 'Nenda Mwanzo',
}
