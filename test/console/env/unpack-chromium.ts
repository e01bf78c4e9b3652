import chromium from '@sparticuz/chromium';

// Unpacks the program into the temporary folder and, where AWS_LAMBDA_JS_RUNTIME names a runtime that needs them, its libraries.
await chromium.executablePath();
