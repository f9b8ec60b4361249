// The files that the program carries with it, embedded by C23's #embed. A new migration is added here:
// a test holds this table and the folder together.
#include "CMartletAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char migration_0001[] = {
#embed "../../Migrations/0001_initial.sql"
};

static const unsigned char migration_0002[] = {
#embed "../../Migrations/0002_idempotency.sql"
};

static const unsigned char migration_0003[] = {
#embed "../../Migrations/0003_keys.sql"
};

static const unsigned char migration_0004[] = {
#embed "../../Migrations/0004_calendar.sql"
};

static const unsigned char migration_0005[] = {
#embed "../../Migrations/0005_keyHistory.sql"
};

static const unsigned char migration_0006[] = {
#embed "../../Migrations/0006_rules.sql"
};

static const unsigned char migration_0007[] = {
#embed "../../Migrations/0007_ids.sql"
};

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

static const unsigned char problems[] = {
#embed "../../docs/problems.md"
};

static const unsigned char try_html[] = {
#embed "../../Pages/try.html"
};

static const unsigned char try_css[] = {
#embed "../../Pages/try.css"
};

static const unsigned char try_js[] = {
#embed "../../Pages/try.js"
};

static const CAsset table[] = {
  {"Migrations/0001_initial.sql", migration_0001, sizeof migration_0001},
  {"Migrations/0002_idempotency.sql", migration_0002, sizeof migration_0002},
  {"Migrations/0003_keys.sql", migration_0003, sizeof migration_0003},
  {"Migrations/0004_calendar.sql", migration_0004, sizeof migration_0004},
  {"Migrations/0005_keyHistory.sql", migration_0005, sizeof migration_0005},
  {"Migrations/0006_rules.sql", migration_0006, sizeof migration_0006},
  {"Migrations/0007_ids.sql", migration_0007, sizeof migration_0007},
  {"openapi.yaml", openapi, sizeof openapi},
  {"docs/problems.md", problems, sizeof problems},
  {"Pages/try.html", try_html, sizeof try_html},
  {"Pages/try.css", try_css, sizeof try_css},
  {"Pages/try.js", try_js, sizeof try_js},
  {NULL, NULL, 0},
};

const CAsset *const cassets = table;
