import type { Translated } from '../translated.ts'
import type { sessions as english } from '../en/sessions.ts'

export const sessions: Translated<typeof english> = {
  title: 'As suas sessões',
  text: 'Todos os navegadores em que tem sessão iniciada. Uma sessão termina após 30 minutos sem atividade e, em qualquer caso, após 12 horas.',
  browser: 'Navegador',
  address: 'Endereço',
  lastSeen: 'Última utilização',
  signedIn: 'Início de sessão',
  current: 'Este navegador',
  end: 'Terminar',
  ended: 'A sessão terminou.',
  everywhere: 'Terminar sessão em todo o lado',
  unknownBrowser: 'Navegador desconhecido',
}
