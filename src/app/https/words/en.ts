import { isolate } from '#shared/isolate.ts'

/** The words of the page that puts the server's own certificate on a device. */
export const en = {
  title: 'Connect to this server privately',
  lead: 'Put the certificate of this server on your device once. Then nobody in the network can read along, and the browser opens it without a warning. It counts for this network alone, and for nothing on the internet.',
  nothing: 'Nothing has to be installed on this device.',
  open: 'Open the server',
  fingerprint: 'Compare before you trust it',
  compare:
    'Before you agree, the device can show the fingerprint of the certificate. It must be the one that the office sees under Settings, Other computers and phones, and the one here. If it differs, stop and tell the office.',
  forWindows: 'Windows shows a shorter one: on the “Details” tab, the line “Thumbprint”, at the very bottom.',
  check: 'Does it work?',
  checkNow: 'Check now',
  checking: 'One moment…',
  works: 'It works. From now on, open the server at this address:',
  fails:
    'Not yet: this browser does not trust the certificate. Go through the steps once more, close the browser completely, and check again.',
  hidden:
    'Not in this network: its router hides names of the internet that lead into it (“DNS rebind protection”), or the internet is not there. Whoever looks after the router allows this name there. Until then open the program as before.',
  tried: (url: string) => `This tries ${isolate(url)} in this browser.`,
  systems: [
    {
      id: 'windows',
      name: 'Windows',
      file: 'root.crt',
      download: 'Download for Windows',
      steps: [
        'Open the downloaded file; it is among the downloads of the browser. If the browser asks, choose to keep it. If Windows asks whether to open it, click “Open”.',
        'A window with the certificate opens. Click “Install Certificate…”.',
        'Choose “Local Machine”, so that it holds for everybody at this computer, and click “Next”. Windows asks whether changes may be made: click “Yes”. If it asks for a password that you do not have, ask whoever looks after the computer.',
        'Choose “Place all certificates in the following store”, then “Browse…” and “Trusted Root Certification Authorities”.',
        'Click “OK”, “Next” and “Finish”. Windows says that the import was successful.',
        'Close all windows of the browser, and open it again.',
      ],
      notes: 'It works in Edge, Chrome and Firefox.',
    },
    {
      id: 'android',
      name: 'Android',
      file: 'root.crt',
      download: 'Download for Android',
      steps: [
        'Tap “Download for Android” above. Nothing has to be opened yet.',
        'Open the phone’s settings, and search them, at the top, for “CA certificate”. On most phones it is under “Security”, then “Encryption & credentials”, then “Install a certificate”.',
        'Tap “CA certificate”, and then “Install anyway”. The phone asks for the code with which you unlock it. A phone without a code has to get one first.',
        'Tap the file institute-root.crt among the downloads. The phone says “CA certificate installed”.',
      ],
      notes:
        'It works in Chrome, not in Firefox and not in other apps. From then on the phone says that the network may be monitored: it means this certificate.',
    },
    {
      id: 'ios',
      name: 'iPhone, iPad',
      file: 'root.mobileconfig',
      download: 'Download for iPhone and iPad',
      steps: [
        'Open this page in Safari, tap “Download for iPhone and iPad” above, and then “Allow”.',
        'Within eight minutes, open “Settings”. At the top it says “Profile Downloaded”: tap it. If it is not there, it is under “General”, then “VPN & Device Management”.',
        'Tap “Install” at the top, type the code with which you unlock the phone, and tap “Install” again until it says “Done”.',
        'One step is left: in “Settings” open “General”, then “About”, and at the very bottom “Certificate Trust Settings”. Turn on the switch beside the name of this server, and tap “Continue”.',
      ],
      notes: 'Without the switch of the last step the browser goes on warning.',
    },
  ],
}

export type CaWords = typeof en
